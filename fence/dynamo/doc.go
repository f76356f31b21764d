// Package dynamo reads the expressions of DynamoDB for fence.Prove.
//
// What enters is an [Input]: condition and update expressions with the names that
// stand for attributes, or the attributes of an item that is put. What leaves is a
// fence.Mutation whose arguments are the values (":f") and the attributes of the
// item ("item.f"). The package must not know Go, clients, or which argument is a
// token.
//
// Conditions have two truth values: a comparison with an attribute that is missing
// is false, so its negation is true. What is not understood becomes a Problem.
package dynamo
