/** Judges whether a file is a PDF that may be kept. Whatever the file does, it does to a process of its own. */
export type PdfChecker = {
  check(path: string): Promise<PdfVerdict>
  close(): Promise<void>
}

/** `reason` is a sentence for the caller who sent the file. */
export type PdfVerdict = { ok: true; pages: number } | { ok: false; reason: string }

export type PdfLimits = {
  pagesMax: number
  /** What one stream of the file may unpack to. */
  unpackedBytesMax: number
}
