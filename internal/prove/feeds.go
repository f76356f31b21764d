package prove

import (
	"cmp"
	"slices"
	"strings"
)

// feed is a proved write with the source of the numbers that it stores in a fence.
type feed struct {
	p *pair
	d decision
}

// feeds notes what feeds a fence.
func (j *judge) feeds(p *pair, d decision) {
	if d.verdict == proved && d.guard == "fence" && j.writtenResource(p, d) != "" && d.source != "" && d.column != "" && !d.elsewhere && !p.sum.Test && p.class().Class == "correctness" {
		j.fed = append(j.fed, feed{p, d})
	}
}

// mixed reports a fence that two sources feed: each rises by itself, and between the two
// no order holds. It stands at the later of the writes in the order of the text.
func (j *judge) mixed() {
	slices.SortStableFunc(j.fed, func(a, b feed) int {
		x, y := a.p.w.Chain[0].Place, b.p.w.Chain[0].Place
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Col, y.Col))
	})
	first := make(map[string]feed)
	told := make(map[string]bool)
	for _, f := range j.fed {
		fence := f.d.resource + "." + f.d.column
		before, ok := first[fence]
		switch {
		case !ok:
			first[fence] = f
		case before.d.source != f.d.source && !told[fence]:
			told[fence] = true
			f.d.verdict, f.d.rule, f.d.words = refuted, "mixedtokens", twoFeeds
			f.d.reason = "its numbers are of " + f.d.source + ", and those that " + before.p.w.Chain[0].Place.String() + " stores in " + f.d.column + " of " + before.d.source
			j.report(f.p, f.d)
		}
	}
}

// sourceOfEpochs is the one source of the numbers that a statement compares, "" if it has
// none or several.
func sourceOfEpochs(args []*bound) string {
	var found []string
	for _, b := range args {
		for _, o := range b.origins {
			if o.source != "" && !slices.Contains(found, o.source) {
				found = append(found, o.source)
			}
		}
	}
	if len(found) != 1 {
		return ""
	}
	return strings.TrimSpace(found[0])
}

// twoFeeds is the template for a fence that another write feeds from another source.
const twoFeeds = "mixedtokens of two writes"

func init() {
	messages[twoFeeds] = template{
		"{write} compares numbers of two sources in one column: {reason}.",
		paused + "passes where its source counts higher, and the newer owner is refused.",
		"Number all who write there by one source, or give each a column of its own.",
	}
}
