/// The rules of the bus, each in one sentence that states how it was broken.
enum Rule: String, CaseIterable {
    // What a caller may rely on.
    case endedTwice = "a call ended twice at its caller"
    case endedUncalled = "a caller heard of a call that it had cancelled or never made"
    case wrongAnswer = "an answer went to a client that had not asked for it"
    case noEnding = "a call had no ending by its deadline and one heartbeat"
    case endedEarly = "a call ended as past its deadline before that"
    case brokerNotLost = "a call ended with a lost broker although the broker was there"

    // What the broker owes a request.
    case answeredTwice = "the broker answered a request that it had answered or given up"
    case staleReply = "a reply reached a client although its hand-out was not the live one"
    case repeated = "a request that must not be repeated was begun by two workers"
    case redeliveredAfterPart = "a request was redelivered although a part of its answer was with the client"
    case tooManyAttempts = "a request was dispatched more often than is allowed"
    case dispatchedLate = "a request was dispatched after its deadline"
    case dispatchedAfterEnd = "a request was dispatched after its end"
    case timeGrew = "a hand-out left its worker more time than the caller had"
    case wrongAttributes = "a reply named a wrong number of attempts or a wrong wait"
    case refusedWrongly = "the broker refused a request without the reason that it gave"
    case notRefusedAtOnce = "a lost request that may not be redelivered was not refused at once"
    case leftWaiting = "a request waited although a worker had room"
    case ledgerNotEmpty = "the ledger is not empty when all is quiet"
    case serviceKept = "a service without workers and requests was kept"

    // How the broker handles crashes and ended connections.
    case newcomerLost = "a live worker was expelled because an earlier connection of its descriptor had ended"
    case endIgnored = "a worker was kept although the end of its connection had been read"
    case keptWithoutClient = "a request waited for a worker although its client was gone"
    case miscounted = "the crashes that count against a request were not those that it was in flight at"
    case suspectNotAlone = "a request that was in flight at two crashes shared a worker with another"
    case noneKeptFree = "a suspect waited while every worker went on getting others"
    case quarantineBroken = "a request was dispatched although its like had crashed a worker alone"

    // What the broker owes its workers.
    case overCapacity = "a worker was handed more requests than its capacity"
    case dispatchedToDraining = "a worker was handed a request after the broker had heard of its drain"
    case dispatchedToUnregistered = "a request went to a peer that is not registered"
    case deadKept = "a silent worker was kept beyond its liveness"
    case droppedWorking = "a plain worker was dropped at work although no other one was free"
    case droppedAlive = "a worker that kept sending was dropped as silent"
    case healthyLost = "a worker lost its registration although nothing was wrong"
    case sharedExclusive = "an exclusive service had two workers"
    case sameInstance = "two workers of one name were registered at a time"
    case wrongMessage = "a peer was sent what its version does not know"

    // What a worker owes.
    case overloadedProcess = "a worker process worked on more requests at a time than its capacity"
    case begunTwice = "a worker began one hand-out twice"
    case begunAfterSleep = "a worker back from a long sleep began what it had been given before"
    case answeredElsewhere = "a worker answered over a connection by which the request had not come"
    case outOfOrder = "a worker spoke before READY or after DISCONNECT"
    case drainLost = "a worker that drained left requests behind"

    // What the cache owes its fetchers.
    case twoLeases = "two instances held the lease of one key"
    case takenWhileRenewed = "a lease passed on although it had been renewed"
    case passedOver = "a lease passed on to another than the one who had waited longest"
    case heldWithoutRenewal = "requests waited for a holder that renewed no more"
    case notShared = "what a fetch brought did not reach all who waited for it"
    case endedWithoutLease = "a wait ended by a put or a failure that was none of the lease's"
    case wrongLeaseAction = "the lease machine did what nothing called for"
    case clogged = "parked requests left no room for the put that they waited for"
    case fetchedTwice = "two instances fetched one key at a time although the first was well"
    case overQuota = "more calls were granted than a day has"
    case callsReturned = "a call was refused although the day had calls left"
    case askedExhausted = "an upstream whose day is used up was asked more than once an hour"

    // What the archive owes its orders.
    case filledTwice = "a chart was fetched that was archived, or being fetched"
    case filledTooFast = "more charts were fetched at a time than allowed"
    case filledBeyondQuota = "a chart was fetched although the calls of the day were used up"
    case filledTooEarly = "an order ended while charts were being fetched"
    case notFilled = "an order was not done when nothing went wrong any more"

    // What the bus owes every peer.
    case starved = "a request ended without FINAL although a healthy worker had been free for two seconds"
    case notHealed = "the bus did not heal when nothing went wrong any more"
    case restless = "the schedule did not come to rest"
}

/// A rule that was broken, and by what.
struct Violation {
    let rule: Rule
    let detail: String
}
