// Lays out one document in its own process: the typesetter runs in native code, which can't be stopped in a thread, and its
// memory doesn't count as the thread's.
import type { PrintedDocument } from '#server/printed-document.ts'
import { typesetPdf } from './typeset.ts'

/** What the process is sent, once. */
export type PdfTask = Readonly<{ document: PrintedDocument; fontsFolder: string | null }>

process.once('message', (task: PdfTask) => {
  process.send?.(typesetPdf(task.document, task.fontsFolder), () => process.disconnect())
})
