package editor

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestNeovim does in Neovim what TestLive does by hand: an edit in an unsaved buffer of
// one package brings a finding in another.
func TestNeovim(t *testing.T) {
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		t.Skipf("no Neovim here (Debian has it in the package neovim): %v", err)
	}
	command := server(t)
	dir := program(t)
	postgres := filepath.Join(dir, "settle", "fenced", "postgres", "postgres.go")
	disk, _ := without(t, postgres, guard)
	report := filepath.Join(t.TempDir(), "answer.json")
	job, err := json.Marshal(map[string]any{
		"command": command, "dir": dir, "delay": delay.String(), "answer": report,
		"shown": filepath.Join(dir, "settle", "fenced", "main.go"), "edited": postgres,
		"rule": "tokennotcompared", "piece": guard, "rounds": rounds, "patience": patience.Milliseconds(),
	})
	if err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs(filepath.Join("testdata", "type.lua"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, nvim, "--headless", "--noplugin", "-n", "-u", "NONE", "-i", "NONE", "-S", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "FENCELINT_JOB="+string(job), "XDG_STATE_HOME="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	check(t, report, string(out))
	if now, err := os.ReadFile(postgres); err != nil || string(now) != disk {
		t.Errorf("the file on disk has changed (%v)", err)
	}
}

func check(t *testing.T, report, out string) {
	t.Helper()
	var answer struct {
		Took                 []int64
		Message, Line, Error string
		Modified             bool
	}
	data, err := os.ReadFile(report)
	if err == nil {
		err = json.Unmarshal(data, &answer)
	}
	switch {
	case err != nil:
		t.Fatalf("%v\n%s", err, out)
	case answer.Error != "":
		t.Fatalf("%s\n%s", answer.Error, out)
	case !answer.Modified:
		t.Error("the buffer counts as saved")
	}
	if want := "service.New(session, wire.Store(db))"; !strings.Contains(answer.Line, want) {
		t.Errorf("the finding stands at %q, want %q", answer.Line, want)
	}
	if want := "pauses past the lease"; !strings.Contains(answer.Message, want) {
		t.Errorf("the finding says %q, want %q", answer.Message, want)
	}
	if n := len(answer.Took); n != 2*rounds+1 {
		t.Fatalf("%d waits, want %d", n, 2*rounds+1)
	}
	first := answer.Took[0]
	took := answer.Took[1:]
	slices.Sort(took)
	record(t, "first finding after %d ms; then median %d ms, worst %d ms, with the delay of %v",
		first, took[len(took)/2], took[len(took)-1], delay)
}
