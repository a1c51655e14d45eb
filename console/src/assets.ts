import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

// Style and scripts, served as they are. Their names change with their content, so a browser keeps them for ever.

export type Assets = {
  /** The address of an asset, such as `/console/a/live.1f0c2e9a.js`. */
  address(name: string): string
  find(request: Request): Response | undefined
}

/** `packed` has what was asked for: compressing takes longer than starting the pages. */
type Asset = { type: string; plain: Buffer; packed: Map<Encoding, Buffer> }
type Encoding = 'br' | 'gzip'

const STYLES = ['tokens', 'base', 'parts', 'names', 'plots', 'print'].map((name) =>
  join(import.meta.dirname, `style/${name}.css`),
)

const SCRIPTS = ['live', 'keys', 'copy', 'sums', 'upload']

export async function readAssets(): Promise<Assets> {
  const byAddress = new Map<string, Asset>()
  const addresses = new Map<string, string>()
  const add = (name: string, extension: string, type: string, text: string) => {
    const plain = Buffer.from(text)
    const hash = createHash('sha256').update(plain).digest('hex').slice(0, 12)
    const address = `/console/a/${name}.${hash}.${extension}`
    addresses.set(`${name}.${extension}`, address)
    byAddress.set(address, { type, plain, packed: new Map() })
  }
  const styles = await Promise.all(STYLES.map((path) => readFile(path, 'utf8')))
  add('console', 'css', 'text/css; charset=utf-8', styles.join('\n'))
  add('idiomorph', 'js', 'text/javascript; charset=utf-8', await readIdiomorph())
  for (const name of SCRIPTS) {
    const text = await readFile(join(import.meta.dirname, `browser/${name}.js`), 'utf8')
    add(name, 'js', 'text/javascript; charset=utf-8', text)
  }
  return {
    address(name) {
      const found = addresses.get(name)
      if (!found) throw new Error(`There is no asset ${name}.`)
      return found
    },
    find(request) {
      const asset = byAddress.get(new URL(request.url).pathname)
      return asset && answerOf(asset, request.headers.get('accept-encoding') ?? '')
    },
  }
}

/** The package's small build is not a module. */
async function readIdiomorph(): Promise<string> {
  const url = new URL(import.meta.resolve('idiomorph/dist/idiomorph.min.js'))
  return `${await readFile(url, 'utf8')}\nexport { Idiomorph }\n`
}

function answerOf(asset: Asset, accepted: string): Response {
  const encoding = (['br', 'gzip'] as const).find((one) => new RegExp(`\\b${one}\\b`).test(accepted))
  const body = encoding ? packedBy(encoding, asset) : asset.plain
  const headers = new Headers({
    'content-type': asset.type,
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  })
  if (encoding) headers.set('content-encoding', encoding)
  return new Response(new Uint8Array(body), { headers })
}

function packedBy(encoding: Encoding, { plain, packed }: Asset): Buffer {
  const known = packed.get(encoding)
  if (known) return known
  const made = encoding === 'br' ? brotliCompressSync(plain) : gzipSync(plain, { level: 9 })
  packed.set(encoding, made)
  return made
}
