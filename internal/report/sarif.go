package report

import (
	"crypto/sha256"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"
	"unicode/utf16"

	"github.com/fencelint/fencelint/internal/rule"
)

// Run is what a report in SARIF has to know beside the findings.
type Run struct {
	Version  string
	Rules    []*rule.Doc // all rules that could have reported
	Findings []Finding
	Faults   []string // what could not be loaded or analysed
	// Below is where the files' base directory lies below the root of the source, "" at
	// the root. Names in the report begin at the root.
	Below string
	// Line returns a line of a file, "" if it cannot be read. SARIF counts columns
	// in UTF-16 code units.
	Line func(file string, line int) string
}

// SARIF writes the run in the Static Analysis Results Interchange Format 2.1.0.
func SARIF(w io.Writer, r Run) error {
	log := sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0",
		Runs: []sarifRun{{
			Tool: sarifTool{sarifDriver{
				Name: "fencelint", Version: r.Version,
				InformationURI: "https://github.com/fencelint/fencelint",
				Rules:          sarifRules(r.Rules),
			}},
			AutomationDetails: sarifID{"fencelint/"},
			ColumnKind:        "utf16CodeUnits",
			Invocations:       []sarifInvocation{invocation(r.Faults)},
			Results:           r.results(),
		}},
	}
	return encode(w, log)
}

func sarifRules(docs []*rule.Doc) []sarifRule {
	list := make([]sarifRule, 0, len(docs))
	for _, d := range docs {
		list = append(list, sarifRule{
			ID:               d.Name,
			ShortDescription: sarifText{Text: d.Summary()},
			FullDescription:  sarifText{Text: d.Description()},
			Help:             sarifText{Text: d.Help(), Markdown: d.Markdown()},
			HelpURI:          d.URL(),
			Configuration:    sarifConfiguration{d.Level()},
			Properties:       sarifProperties{[]string{"correctness", d.Group()}, problemSeverity(d.Level())},
		})
	}
	return list
}

// problemSeverity is the level in the words of GitHub's code scanning.
func problemSeverity(level string) string {
	if level == "note" {
		return "recommendation"
	}
	return level
}

func invocation(faults []string) sarifInvocation {
	v := sarifInvocation{Successful: len(faults) == 0}
	for _, f := range faults {
		v.Notifications = append(v.Notifications, sarifNotification{"error", sarifText{Text: f}})
	}
	return v
}

func (r Run) results() []sarifResult {
	index := map[string]int{}
	for i, d := range r.Rules {
		index[d.Name] = i
	}
	seen := map[string]int{}
	list := make([]sarifResult, 0, len(r.Findings))
	for _, f := range r.Findings {
		i, known := index[f.Rule]
		if !known {
			continue
		}
		res := sarifResult{
			RuleID: f.Rule, RuleIndex: i, Level: r.Rules[i].Level(),
			Message:      sarifText{Text: f.Message},
			Locations:    []sarifLocation{r.location(f.Position, Position{f.File, f.EndLine, f.EndCol}, "")},
			Fingerprints: map[string]string{"fencelint/v1": fingerprint(f, seen)},
		}
		if len(f.Related) > 0 {
			res.CodeFlows = []sarifCodeFlow{{[]sarifThreadFlow{r.flow(f)}}}
		}
		list = append(list, res)
	}
	return list
}

// fingerprint identifies a finding although lines move. Findings that are alike in
// all but their lines are told apart by their order.
func fingerprint(f Finding, seen map[string]int) string {
	text := f.Rule + "\x00" + f.Key
	if f.Key == "" {
		text += f.File + "\x00" + f.Message
	}
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:32]
	seen[sum]++
	return fmt.Sprintf("%s:%d", sum, seen[sum])
}

// flow is the way from the lock to the place of the finding, which ends it.
func (r Run) flow(f Finding) sarifThreadFlow {
	var flow sarifThreadFlow
	for _, s := range f.Related {
		flow.Locations = append(flow.Locations, sarifFlowLocation{r.location(s.Position, Position{}, s.Message)})
	}
	last := r.location(f.Position, Position{f.File, f.EndLine, f.EndCol}, f.Message)
	flow.Locations = append(flow.Locations, sarifFlowLocation{last})
	return flow
}

// location is a place; end may be the zero position.
func (r Run) location(at, end Position, message string) sarifLocation {
	where := sarifPhysical{Artifact: r.artifact(at.File)}
	if at.Line > 0 {
		where.Region = &sarifRegion{StartLine: at.Line, StartColumn: r.column(at)}
		if end.Line > at.Line || end.Line == at.Line && end.Col > at.Col {
			where.Region.EndLine, where.Region.EndColumn = end.Line, r.column(end)
		}
	}
	loc := sarifLocation{Physical: where}
	if message != "" {
		loc.Message = &sarifText{Text: message}
	}
	return loc
}

// artifact names a file. One outside of the source has a name and no root.
func (r Run) artifact(file string) sarifArtifact {
	name := path.Join(r.Below, file)
	if path.IsAbs(file) || name == ".." || strings.HasPrefix(name, "../") {
		return sarifArtifact{URI: (&url.URL{Path: file}).String()}
	}
	return sarifArtifact{URI: (&url.URL{Path: name}).String(), BaseID: "%SRCROOT%"}
}

// column converts a column in bytes to one in UTF-16 code units.
func (r Run) column(at Position) int {
	if at.Col <= 1 || r.Line == nil {
		return max(at.Col, 1)
	}
	line := r.Line(at.File, at.Line)
	if len(line) < at.Col-1 {
		return at.Col
	}
	col := 1
	for _, c := range line[:at.Col-1] {
		col += utf16.RuneLen(c)
	}
	return col
}

// The parts of the format that are used.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool              sarifTool         `json:"tool"`
		AutomationDetails sarifID           `json:"automationDetails"`
		ColumnKind        string            `json:"columnKind"`
		Invocations       []sarifInvocation `json:"invocations"`
		Results           []sarifResult     `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string             `json:"id"`
		ShortDescription sarifText          `json:"shortDescription"`
		FullDescription  sarifText          `json:"fullDescription"`
		Help             sarifText          `json:"help"`
		HelpURI          string             `json:"helpUri"`
		Configuration    sarifConfiguration `json:"defaultConfiguration"`
		Properties       sarifProperties    `json:"properties"`
	}
	sarifConfiguration struct {
		Level string `json:"level"`
	}
	sarifProperties struct {
		Tags     []string `json:"tags"`
		Severity string   `json:"problem.severity"`
	}
	sarifID struct {
		ID string `json:"id"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifText struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		CodeFlows    []sarifCodeFlow   `json:"codeFlows,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifCodeFlow struct {
		ThreadFlows []sarifThreadFlow `json:"threadFlows"`
	}
	sarifThreadFlow struct {
		Locations []sarifFlowLocation `json:"locations"`
	}
	sarifFlowLocation struct {
		Location sarifLocation `json:"location"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI    string `json:"uri"`
		BaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine,omitempty"`
		EndColumn   int `json:"endColumn,omitempty"`
	}
)
