// Package flow follows locks, writes and values through the code of one package.
//
// What enters is a type-checked package, the models of libraries, the directives,
// and the summaries of imported packages; what leaves is a [Summary] for each
// function: the events that running it can cause, and the terms of what it
// returns and stores. flow decides nothing: whether a write is guarded, and
// whether that is good enough, is the business of package prove.
//
// Work is done when somebody asks for it. A function is summarised once its caller
// needs it; a value is followed when an event, a result or a store speaks of it, so that
// the arguments of calls that cause nothing are not looked at; what an imported package
// says of a function stays as it was written until that function is called.
//
// # Where to find what
//
//   - The work on a package, function by function: analysis.go, build.go, fn.go, summarise.go,
//     essential.go, spread.go, known.go, declared.go.
//   - Events: what running a function can cause: event.go, events.go, modelevents.go, hooked.go,
//     effect.go, repeat.go, cases.go, casesgiven.go, casesof.go, conds.go.
//   - Which function a call runs: target.go, sametype.go, callback.go, callbacks.go, supply.go,
//     implemented.go, scheduled.go, reflected.go, restated.go, grants.go, made.go, optional.go,
//     potential.go, pending.go, passed.go, forwards.go, streamed.go, generated.go, group.go,
//     joinedhold.go, donechannel.go, deferred.go, tells.go, onlylooks.go.
//   - What a value is: variables, results, options: eval.go, result.go, alloc.go, memory.go,
//     places.go, path.go, trail.go, channel.go, atomic.go, setby.go, setters.go, getters.go,
//     options.go, conversion.go, boxed.go, chosen.go, closed.go, lookup.go, unset.go, atfirst.go,
//     std.go.
//   - Records, lists and maps: heap.go, heapcalls.go, heapindex.go, nested.go, alias.go,
//     aliaswrites.go, fieldset.go, arrays.go, elements.go, eachof.go, entries.go, maps.go,
//     joined.go, grownfield.go, grownlist.go, outside.go, recordtypes.go, stdlists.go, bases.go,
//     input.go.
//   - Texts, statements and requests: format.go, builder.go, textfold.go, template.go,
//     partbuilder.go, embedded.go, interp.go, interpcalls.go, translated.go, renumbers.go,
//     prepared.go, preparedlocks.go, begin.go, chain.go, built.go, boiled.go, command.go,
//     header.go, metadata.go.
//   - Where numbers come from, and whether they are there: rows.go, records.go, roundtrip.go,
//     bytesof.go, giventoken.go, beforegrant.go, missing.go, nothing.go, counted.go, attempt.go,
//     overwrite.go, guardreads.go, objectversion.go, fromloop.go.
//   - What becomes of a refusal, path by path: abs.go, state.go, exec.go, explore.go, follow.go,
//     into.go, live.go, outcomes.go, saysno.go, triedagain.go, following.go, compared.go,
//     ifthere.go, promises.go, goeson.go, hearing.go, unheardfield.go, worded.go, answers.go,
//     readers.go, batchreply.go, batchcallback.go, watching.go, scriptreply.go, status.go,
//     errcalls.go, errlists.go, typederror.go, plainerror.go, failing.go, failedrecord.go,
//     carrierror.go, carrying.go, captured.go, telling.go, receiving.go, askederrors.go,
//     signals.go, seal.go, ends.go.
//   - Locks, and what runs in their hold: holds.go, lease.go, leaseobject.go, leaseout.go,
//     leasehold.go, leaseloop.go, leaseloss.go, leaseconn.go, txended.go, leasetell.go,
//     leaseunasked.go, lockname.go, lossfield.go, renewals.go, givenback.go, holder.go,
//     passedoff.go, tenure.go, worklease.go, sqllocks.go, byhand.go, script.go, ctxdone.go.
//   - The belief that a lock is held: flags, channels, callbacks: belief.go, carrier.go,
//     question.go, asked.go, flagged.go, flagcalls.go, keptentries.go.
//   - Facts, and what other packages say: fact.go, export.go, imported.go, lookedinto.go,
//     handed.go, handing.go, wire.go, wirecode.go, unwire.go, codec.go.
package flow
