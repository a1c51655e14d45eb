import { bombs } from './pdf-corpus-bombs.ts'
import { badContents } from './pdf-corpus-contents.ts'
import { badEdges } from './pdf-corpus-edges.ts'
import { goodPdfs } from './pdf-corpus-good.ts'
import type { BadPdf, GoodPdf } from './pdf-corpus-samples.ts'
import { badStructures } from './pdf-corpus-structure.ts'

/** Good and bad files for whoever judges PDFs or passes them on. None is larger than an upload may be. */
export const pdfCorpus = (): (GoodPdf | BadPdf)[] => [...goodPdfs(), ...badPdfs()]

export const badPdfs = (): BadPdf[] => [...badEdges(), ...badStructures(), ...badContents(), ...bombs()]
