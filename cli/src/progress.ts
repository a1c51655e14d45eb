import type { Progress } from '../../client/src/index.ts'
import type { Terminal } from './terminal.ts'

const BAR_WIDTH = 30

/** A bar on a terminal, and nothing elsewhere. */
export function progressBar({ stderr }: Pick<Terminal, 'stderr'>, name: string, size: number) {
  const isShown = stderr.isTTY === true
  let last = ''
  return {
    show({ sentBytes, totalBytes = size }: Progress): void {
      const share = Math.min(1, totalBytes ? sentBytes / totalBytes : 1)
      const full = Math.round(share * BAR_WIDTH)
      const line = `${name} ${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} ${Math.round(share * 100)} % of ${sizeOf(size)}`
      if (isShown && line !== last) stderr.write(`\r${line}`)
      last = line
    },
    end(): void {
      if (isShown && last) stderr.write('\n')
    },
  }
}

const sizeOf = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
