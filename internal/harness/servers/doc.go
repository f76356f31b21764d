// Package servers starts the servers that tests talk to: real ones, from the packages of
// the system, on loopback and in a directory of their own. Nothing enters but the wish for
// one; a place to connect to leaves. It knows neither drivers nor tests, so that modules
// below this one can use it with drivers of their own.
package servers
