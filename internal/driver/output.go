package driver

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// reports are those that a command line asks for: -o FORM for standard output,
// -o FORM=FILE for a file beside it.
type reports struct {
	forms []string // those that the command knows, the usual one first
	list  []reportTo
}

type reportTo struct{ form, file string } // file is "" for standard output

// Set reads the value of one -o.
func (o *reports) Set(value string) error {
	form, file, named := strings.Cut(value, "=")
	if !slices.Contains(o.forms, form) {
		last := len(o.forms) - 1
		return fmt.Errorf("want %s or %s, for a file %s=FILE", strings.Join(o.forms[:last], ", "), o.forms[last], o.forms[last])
	}
	if named && file == "" {
		return fmt.Errorf("no file name behind %s=", form)
	}
	for _, other := range o.list {
		switch {
		case other.file != file:
		case file == "":
			return fmt.Errorf("%s goes to standard output already; write %s=FILE", other.form, form)
		default:
			return fmt.Errorf("%s goes to that file already", other.form)
		}
	}
	o.list = append(o.list, reportTo{form, file})
	return nil
}

func (o *reports) String() string { return "" }

// ready reports a file that cannot be written, before the analysis is paid for.
func (o *reports) ready() error {
	for _, out := range o.list {
		if out.file == "" {
			continue
		}
		if info, err := os.Stat(filepath.Dir(out.file)); err != nil || !info.IsDir() {
			return fmt.Errorf("-o %s=%s: there is no directory %s", out.form, out.file, filepath.Dir(out.file))
		}
		if info, err := os.Stat(out.file); err == nil && info.IsDir() {
			return fmt.Errorf("-o %s=%s: that is a directory", out.form, out.file)
		}
	}
	return nil
}

// write writes all reports. Where no form is asked for on standard output, it gets the
// usual one: who has a file for a machine still wants to read what was found. A report
// that cannot be written does not keep the others back.
func (o *reports) write(stdout io.Writer, render func(form string, w io.Writer) error) error {
	list := o.list
	if !slices.ContainsFunc(list, func(out reportTo) bool { return out.file == "" }) {
		list = append([]reportTo{{form: o.forms[0]}}, list...)
	}
	var errs []error
	for _, out := range list {
		if out.file == "" {
			errs = append(errs, render(out.form, stdout))
			continue
		}
		var b bytes.Buffer
		err := render(out.form, &b)
		if err == nil {
			err = os.WriteFile(out.file, b.Bytes(), 0o666)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
