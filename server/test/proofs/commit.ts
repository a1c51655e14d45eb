import { compare, type Relayed, type Written, write } from './relayed.ts'

const WRITERS = 8

/** Connections are cut at their COMMIT, half of them before it arrived, half before its answer did. */
export async function proveCommit({ url, relay, db }: Relayed, { cuts }: { cuts: number }) {
  const written: Written[] = []
  const cutting = setInterval(() => relay.cutNext(Math.random() < 0.5 ? 'before COMMIT' : 'after COMMIT'), 20)
  const cutsBefore = relay.cuts()
  const load = { isOver: () => relay.cuts() >= cutsBefore + cuts, pauseMs: 0 }
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(url, `Cut ${writer}`, written, load)))
  clearInterval(cutting)
  relay.cutNext(undefined)
  return { cuts: relay.cuts() - cutsBefore, ...(await compare(db, written)) }
}
