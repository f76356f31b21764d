package rule

import "github.com/fencelint/fencelint/internal/rule/names"

// Names returns the names of all rules, sorted.
func Names() []string { return names.All() }

// Groups returns the titles of the groups, in the order of the documentation.
func Groups() []string { return names.Groups() }

// GroupOf returns the title of the group of a rule, "" for an unknown name.
func GroupOf(name string) string { return names.GroupOf(name) }

// Known reports whether name is the name of a rule.
func Known(name string) bool { return names.Known(name) }
