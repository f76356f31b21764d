// Package fencecolumn reports fencing tokens that are compared or stored in a type
// in which their order is lost.
package fencecolumn

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule fencecolumn.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "fencecolumn",
	RawDocumentation: lint.RawDocumentation{
		Title:    "fencing token in a type that loses its order",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
A fencing token is an integer of 64 bits and has to be compared as one. Somewhere between the lock and
the comparison this one is something else:

- text: a cast such as \'::text\', an S attribute in DynamoDB, a script that compares without \'tonumber\'.
  As text \'9\' is greater than \'10\', so the order breaks whenever a digit is added;
- a narrower integer: \'int32(…)\' turns a large number into a negative one;
- a floating-point number: above 2^53 two neighbours are equal.

What counts is the type in which the receiver compares and stores. Decimal text that the statement casts
to an integer is harmless, and so is an N attribute, which travels as text. Conversions between signed
and unsigned integers of 64 bits are harmless too.

The fault sleeps: with tokens of equal length everything works, in tests above all.`,
		Before: `
_, err := client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
	TableName:           aws.String("turbines"),
	Key:                 key,
	UpdateExpression:    aws.String("SET pitch = :pitch, fence = :fence"),
	ConditionExpression: aws.String("fence < :fence"),
	ExpressionAttributeValues: map[string]types.AttributeValue{
		":pitch": &types.AttributeValueMemberN{Value: pitch},
		":fence": &types.AttributeValueMemberS{Value: strconv.FormatInt(fence, 10)},
	},
})`,
		After: `
_, err := client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
	TableName:           aws.String("turbines"),
	Key:                 key,
	UpdateExpression:    aws.String("SET pitch = :pitch, fence = :fence"),
	ConditionExpression: aws.String("fence < :fence"),
	ExpressionAttributeValues: map[string]types.AttributeValue{
		":pitch": &types.AttributeValueMemberN{Value: pitch},
		":fence": &types.AttributeValueMemberN{Value: strconv.FormatInt(fence, 10)},
	},
})`,
	},
	Breaks: `
A  acquires the lock with token 9, is paused; the lease expires
B  acquires the lock with token 10 and writes: fence = "10"
A  wakes up and writes with "9": "10" < "9" is true, accepted
   from 11 to 89 every later owner is refused`,
	Accept: `Text of a fixed width keeps the order. If the token is padded on every way to the receiver:

    //fencelint:accept fencecolumn reason="twenty digits with leading zeros, see Token.String"`,
	Blind: []string{
		`The type of the column is in the schema, which is not read: a column declared as text or int4 looks like any other.`,
		`Numbers in Redis scripts are floating-point; that tokens stay below 2^53 there is assumed.`,
	},
}
