// Package prove turns holds, effects and token origins into verdicts.
//
// What enters is one type-checked package and the encoded facts of its direct
// imports ([Unit]); what leaves is one [Result]: the findings of every rule,
// the register's rows, and the package's own fact. It must not know how a
// driver loads packages, nor how a report is written.
//
// # Where to find what
//
//   - The work on a package: api.go, analyzer.go, run.go, fortests.go, judge.go, report.go,
//     standing.go, onecause.go, advice.go, decision.go.
//   - Classes, and the obligations that calls pass on: classes.go, obligations.go, supplied.go,
//     given.go, implementers.go, opencall.go, unimplemented.go, openlock.go, lockiface.go,
//     madefor.go, askedfor.go, onlyasks.go.
//   - What a boundary sends: statements and their arguments: statement.go, text.go,
//     textnumbers.go, unknowntext.go, dialect.go, bind.go, namedargs.go, known.go, words.go,
//     widen.go, builders.go, proofs.go.
//   - Verdicts on statements of SQL: sqlboundary.go, checks.go, claims.go, claimsigned.go,
//     mint.go, rejection.go, sameagain.go, replay.go, takenback.go, undone.go, freeing.go,
//     givenfree.go.
//   - Transactions: what an earlier or later statement guards: unit.go, session.go, txhandle.go,
//     lockedcas.go, lockedrecord.go, lockedmapped.go, lockedwhich.go, lastguard.go, reread.go.
//   - Where numbers come from, and what they are worth: origin.go, originfield.go, originelem.go,
//     origincount.go, foreign.go, faults.go, feeds.go, dynamoclaim.go.
//   - Compare-and-set, keys and versions: cas.go, kv.go, kvtxn.go, kvstm.go, batch.go,
//     recv_once.go, samesession.go, watched.go, casfence.go.
//   - Receivers with rules of their own: recv.go, recv_azure.go, recv_batch.go, recv_bigtable.go,
//     recv_blob.go, recv_boil.go, recv_build.go, recv_bun.go, recv_command.go, recv_consul.go,
//     recv_cql.go, recv_cqlbatch.go, recv_cqlx.go, recv_dynamo.go, recv_dynamoexpr.go,
//     recv_elastic.go, recv_ent.go, recv_format.go, recv_gopg.go, recv_goqu.go, recv_gorm.go,
//     recv_gormchain.go, recv_gormclause.go, recv_gormwhere.go, recv_k8s.go, recv_kafka.go,
//     recv_lua.go, recv_mongo.go, recv_mongobulk.go, recv_nats.go, recv_ots.go, recv_query.go,
//     recv_record.go, recv_spanner.go, recv_squirrel.go, recv_upper.go, recv_versions.go,
//     recv_xorm.go, recv_zk.go.
//   - Effects at systems that know nothing of the lock: effects.go, effectcheap.go, effectkey.go,
//     effectmatch.go, effectmessages.go, effectorder.go, keystored.go.
//   - Rules about several writes: holdwide.go, bypass.go, bypasskeys.go, staleread.go.
//   - The life of a lock: acquired, renewed, lost, given back: lease.go, leasebelief.go,
//     leaseclock.go, leasecolumns.go, leaseended.go, leasehold.go, leaseliving.go, leaseloss.go,
//     leasemaybe.go, leasepeers.go, leasesteal.go, scriptrelease.go, mongorelease.go,
//     ownwrites.go, uselesslock.go, belief.go.
//   - Locks kept by hand: rows, keys, documents: byhand.go, byhandcql.go, byhanddoc.go,
//     byhandetcd.go, byhandfunc.go, byhandobject.go, byhandrecord.go, byhandzk.go.
//   - The reasoning, printed: trace.go, tracehold.go, tracekey.go, traceorigin.go, traceway.go.
package prove
