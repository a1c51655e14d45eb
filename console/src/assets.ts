import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

// Style and scripts, served as they are. Their names change with their content, so a browser keeps them for ever.

export type Assets = {
  /** The address of an asset, such as `/console/a/live.1f0c2e9a.js`. */
  address(name: string): string
  find(request: Request): Promise<Response> | undefined
}

/** `packed` has what was asked for: compressing takes longer than starting the pages. */
export type Asset = { type: string; plain: Buffer; packed: Map<Encoding, Promise<Buffer>> }
type Encoding = 'br' | 'gzip'

export const assetOf = (type: string, text: string): Asset => ({ type, plain: Buffer.from(text), packed: new Map() })

const SCRIPT = 'text/javascript; charset=utf-8'

/** Styles become one asset. Scripts are named without their extension. */
type Parts = { base: string; style: string; styles: readonly string[]; scripts: readonly string[] }

const CONSOLE: Parts = {
  base: '/console/a',
  style: 'console',
  styles: ['tokens', 'base', 'frame', 'forms', 'lists', 'matter', 'parts', 'names', 'plots', 'print'],
  scripts: ['live', 'keys', 'copy', 'palette', 'sums', 'upload', 'idiomorph'],
}

export async function readAssets({ base, style, styles, scripts }: Parts = CONSOLE): Promise<Assets> {
  const byAddress = new Map<string, Asset>()
  const addresses = new Map<string, string>()
  const add = (name: string, extension: string, asset: Asset) => {
    const hash = createHash('sha256').update(asset.plain).digest('hex').slice(0, 12)
    const address = `${base}/${name}.${hash}.${extension}`
    addresses.set(`${name}.${extension}`, address)
    byAddress.set(address, asset)
  }
  const read = (path: string) => readFile(join(import.meta.dirname, path), 'utf8')
  const texts = await Promise.all(styles.map((name) => read(`style/${name}.css`)))
  add(style, 'css', assetOf('text/css; charset=utf-8', texts.join('\n')))
  for (const name of scripts)
    add(name, 'js', assetOf(SCRIPT, name === 'idiomorph' ? await readIdiomorph() : await read(`browser/${name}.js`)))
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

export async function answerOf(asset: Asset, accepted: string, status = 200): Promise<Response> {
  const encoding = (['br', 'gzip'] as const).find((one) => new RegExp(`\\b${one}\\b`).test(accepted))
  const body = encoding ? await packedBy(encoding, asset) : asset.plain
  const headers = new Headers({
    'content-type': asset.type,
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  })
  if (encoding) headers.set('content-encoding', encoding)
  return new Response(new Uint8Array(body), { status, headers })
}

// A little larger than the best, in a fiftieth of the time.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

function packedBy(encoding: Encoding, { plain, packed }: Asset): Promise<Buffer> {
  const known = packed.get(encoding)
  if (known) return known
  const made = encoding === 'br' ? promisify(brotliCompress)(plain, BROTLI) : promisify(gzip)(plain)
  packed.set(encoding, made)
  return made
}
