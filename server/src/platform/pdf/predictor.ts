import { type Dict, isWhole } from './syntax.ts'

const [TIFF, PNG] = [2, 10]
const [SUB, UP, AVERAGE, PAETH] = [1, 2, 3, 4]

/** Takes back the predictor with which cross-references and objects are prepared for packing. */
export function unpredicted(bytes: Buffer, parameters: Dict): Buffer {
  const predictor = wholeOf(parameters, 'Predictor', 1)
  const pixelBits = wholeOf(parameters, 'Colors', 1) * wholeOf(parameters, 'BitsPerComponent', 8)
  const rowBytes = Math.ceil((wholeOf(parameters, 'Columns', 1) * pixelBits) / 8)
  const pixelBytes = Math.max(1, pixelBits >> 3)
  if (predictor >= PNG) return png(bytes, Math.max(1, rowBytes), pixelBytes)
  return predictor === TIFF ? tiff(bytes, Math.max(1, rowBytes), pixelBytes) : bytes
}

function wholeOf(parameters: Dict, key: string, fallback: number): number {
  const value = parameters.get(key)
  return isWhole(value) ? value : fallback
}

/** Each row begins with a byte that says how it was predicted. */
function png(bytes: Buffer, rowBytes: number, pixelBytes: number): Buffer {
  const out = Buffer.allocUnsafe(bytes.length)
  let used = 0
  for (let row = 0; row < bytes.length; row += rowBytes + 1) {
    const kind = bytes[row]
    const isFirst = used === 0
    const length = Math.min(rowBytes, bytes.length - row - 1)
    for (let column = 0; column < length; column++, used++) {
      const left = column < pixelBytes ? 0 : (out[used - pixelBytes] ?? 0)
      const up = isFirst ? 0 : (out[used - rowBytes] ?? 0)
      const corner = isFirst || column < pixelBytes ? 0 : (out[used - rowBytes - pixelBytes] ?? 0)
      out[used] = (bytes[row + 1 + column] ?? 0) + predicted(kind, left, up, corner)
    }
  }
  return out.subarray(0, used)
}

function predicted(kind: number | undefined, left: number, up: number, corner: number): number {
  if (kind === SUB) return left
  if (kind === UP) return up
  if (kind === AVERAGE) return (left + up) >> 1
  return kind === PAETH ? paeth(left, up, corner) : 0
}

function paeth(left: number, up: number, corner: number): number {
  const [byLeft, byUp, byCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  if (byLeft <= byUp && byLeft <= byCorner) return left
  return byUp <= byCorner ? up : corner
}

function tiff(bytes: Buffer, rowBytes: number, pixelBytes: number): Buffer {
  const out = Buffer.from(bytes)
  for (let at = 0; at < out.length; at++) {
    if (at % rowBytes >= pixelBytes) out[at] = (out[at] ?? 0) + (out[at - pixelBytes] ?? 0)
  }
  return out
}
