import { compare, relayed, type Written, write } from './relayed.ts'

const WRITERS = 8

/** Connections are cut at their COMMIT, half of them before it arrived, half before its answer did. */
export const proveCommit = ({ cuts }: { cuts: number }) =>
  relayed(async ({ url, relay, db }) => {
    const written: Written[] = []
    const cutting = setInterval(() => relay.cutNext(Math.random() < 0.5 ? 'before COMMIT' : 'after COMMIT'), 20)
    const isOver = () => relay.cuts() >= cuts
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(url, `Cut ${writer}`, written, isOver)))
    clearInterval(cutting)
    return { cuts: relay.cuts(), ...(await compare(db, written)) }
  })
