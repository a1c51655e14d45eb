import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { boundaryOf, MalformedForm, partsOf } from './multipart.ts'

type Read = { name: string; fileName?: string; contentType?: string; content: Buffer }

const BOUNDARY = 'x-boundary'

async function read(body: Buffer, cuts: readonly number[] = [], boundary = BOUNDARY): Promise<Read[]> {
  const parts: Read[] = []
  for await (const { content, ...facts } of partsOf(inPieces(body, cuts), boundary, () => {})) {
    const pieces: Buffer[] = []
    for await (const piece of content) pieces.push(Buffer.from(piece))
    parts.push({ ...facts, content: Buffer.concat(pieces) })
  }
  return parts
}

async function* inPieces(body: Buffer, cuts: readonly number[]): AsyncGenerator<Buffer, void> {
  let from = 0
  for (const to of [...cuts].filter((cut) => cut <= body.length).sort((a, b) => a - b)) {
    yield body.subarray(from, to)
    from = to
  }
  yield body.subarray(from)
}

const written = (parts: readonly { headers: string; content: Uint8Array | string }[], boundary = BOUNDARY) =>
  Buffer.concat([
    ...parts.flatMap(({ headers, content }) => [
      Buffer.from(`--${boundary}\r\n${headers}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ])

const disposition = (rest: string) => `Content-Disposition: form-data; ${rest}`
const one = (headers: string, content = 'v') => written([{ headers, content }])

describe('partsOf', () => {
  it('gives back whatever was sent, wherever the stream was cut', async () => {
    const almost = fc.constantFrom('\r', '\n', '\r\n', '\r\n-', '\r\n--', '\r\n--x-bound', '--x-boundary', '\r\r\n--x')
    const content = fc
      .array(
        fc.oneof(
          fc.uint8Array({ maxLength: 40 }),
          almost.map((text) => Buffer.from(text)),
        ),
        { maxLength: 6 },
      )
      .map((pieces) => Buffer.concat(pieces))
      .filter((bytes) => !bytes.includes(`\r\n--${BOUNDARY}`))
    const facts = { name: fc.constantFrom('file', 'documentType', 'é'), content }
    const part = fc.record(facts, { noNullPrototype: true })
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 4 }),
        fc.array(fc.nat({ max: 400 }), { maxLength: 60 }),
        async (parts, cuts) => {
          const sent = written(parts.map(({ name, content }) => ({ headers: disposition(`name="${name}"`), content })))
          assert.deepEqual(await read(sent, cuts), parts)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('gives back what was sent byte by byte', async () => {
    const sent = one(disposition('name="a"; filename="b.pdf"\r\nContent-Type: Application/PDF; x=y'), '\r\n--x-boundar')
    const every = Array.from(sent, (_, index) => index)
    const expected = { name: 'a', fileName: 'b.pdf', contentType: 'application/pdf' }
    assert.deepEqual(await read(sent, every), [{ ...expected, content: Buffer.from('\r\n--x-boundar') }])
  })

  it('ignores what is before the first boundary and after the last', async () => {
    const sent = Buffer.concat([Buffer.from('before\r\n'), one(disposition('name=a')), Buffer.from('after')])
    assert.deepEqual(await read(sent), [{ name: 'a', content: Buffer.from('v') }])
  })

  it('needs no line break after the closing boundary, and allows space after a boundary', async () => {
    const sent = Buffer.from(`--${BOUNDARY} \t\r\n${disposition('name=a')}\r\n\r\nv\r\n--${BOUNDARY}--`)
    assert.deepEqual(await read(sent), [{ name: 'a', content: Buffer.from('v') }])
  })

  for (const [what, sent, name] of [
    ['quoted', 'filename="a b.pdf"', 'a b.pdf'],
    ['plain', 'filename=a.pdf', 'a.pdf'],
    ['with an escaped quote', 'filename="a\\"b.pdf"', 'a"b.pdf'],
    ['with a quote that is not escaped', 'filename="a"b.pdf"', 'a"b.pdf'],
    ['with a semicolon', 'filename="a;b.pdf"; x=y', 'a;b.pdf'],
    ['with backslashes, like a Windows path', 'filename="C:\\docs\\a.pdf"', 'C:\\docs\\a.pdf'],
    ['that ends with a backslash', 'filename="a\\"; x=y', 'a\\'],
    ['in UTF-8', 'filename="Überführung.pdf"', 'Überführung.pdf'],
    ['with control characters', 'filename="a\u0000\nb\rc.pdf"', 'a\u0000\nb\rc.pdf'],
    ['of 5,000 characters', `filename="${'é'.repeat(5000)}"`, 'é'.repeat(5000)],
    ['that is empty', 'filename=""', ''],
  ] as const) {
    it(`reads a file name ${what}`, async () => {
      const [part] = await read(one(disposition(`name="file"; ${sent}`)))
      assert.equal(part?.fileName, name)
    })
  }

  for (const [what, sent] of [
    ['nothing', ''],
    ['no boundary', 'documentType=EVIDENCE'],
    ['another boundary', written([{ headers: disposition('name=a'), content: 'v' }], 'other').toString()],
    ['an end in the middle of a part', one(disposition('name=a')).toString().slice(0, -20)],
    ['an end in the middle of the headers', `--${BOUNDARY}\r\nContent-Dispo`],
    ['an end right after a boundary', `--${BOUNDARY}`],
    ['a closing boundary without its second dash', one(disposition('name=a')).toString().slice(0, -3)],
    ['a boundary that goes on', `--${BOUNDARY}x\r\n${disposition('name=a')}\r\n\r\nv\r\n--${BOUNDARY}--`],
    ['a part without headers', one('').toString()],
    ['a part without Content-Disposition', one('Content-Type: text/plain').toString()],
    ['another disposition', one('Content-Disposition: attachment; name="a"').toString()],
    ['a part without a name', one(disposition('filename="a.pdf"')).toString()],
    ['a part with an empty name', one(disposition('name=""')).toString()],
    ['a name twice', one(disposition('name="a"; name="b"')).toString()],
    ['a header twice', one(`${disposition('name="a"')}\r\n${disposition('name="b"')}`).toString()],
    ['a header without a colon', one(`${disposition('name="a"')}\r\nnonsense`).toString()],
    ['a line break in a name', one(disposition('name="file"; filename="a\r\nb.pdf"')).toString()],
    ['a quote that is not closed', one(disposition('name="file"; filename="a')).toString()],
  ] as const) {
    it(`refuses ${what}`, () => assert.rejects(read(Buffer.from(sent)), MalformedForm))
  }

  it('counts the bytes that are not content, so that they can be limited', async () => {
    let spent = 0
    const sent = Buffer.concat([
      Buffer.from('before\r\n'),
      one(disposition('name=a'), 'x'.repeat(1000)),
      Buffer.from('after'),
    ])
    const spend = (bytes: number) => {
      spent += bytes
    }
    for await (const { content } of partsOf(inPieces(sent, []), BOUNDARY, spend)) for await (const _ of content);
    assert.ok(spent > 50 && spent < 100, `${spent}`)
  })

  it('is not slowed down by a header full of quotes and semicolons', async () => {
    const began = performance.now()
    for (const nasty of ['"', ';', '; a="', '\\', '\\"', ' ', '"; ']) {
      const value = nasty.repeat(1_000_000 / nasty.length)
      const sent = one(disposition(`name="a"; filename="${value}"`))
      await read(sent).catch((error) => assert.ok(error instanceof MalformedForm))
    }
    assert.ok(performance.now() - began < 10_000, 'it takes a fifth of a second; a quadratic parser takes minutes')
  })
})

describe('boundaryOf', () => {
  it('reads a plain and a quoted one', () => {
    assert.equal(boundaryOf('multipart/form-data; boundary=abc'), 'abc')
    assert.equal(boundaryOf('multipart/form-data; charset=utf-8; Boundary="a b:c"'), 'a b:c')
    assert.equal(boundaryOf(`multipart/form-data; boundary=${'b'.repeat(70)};`), 'b'.repeat(70))
  })

  for (const type of ['', '; boundary=', '; boundary=""', '; boundary=a; boundary=b', '; boundary', '; x=y']) {
    it(`refuses "multipart/form-data${type}"`, () => {
      assert.throws(() => boundaryOf(`multipart/form-data${type}`), MalformedForm)
    })
  }

  it('refuses one that is longer than 70 characters or not ASCII', () => {
    for (const boundary of ['b'.repeat(71), 'é']) {
      assert.throws(() => boundaryOf(`multipart/form-data; boundary=${boundary}`), MalformedForm)
    }
  })
})
