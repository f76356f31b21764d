// Package effects holds effects on other systems: requests and mail, with keys,
// without, with the wrong ones, in good and in bad order.
package effects
