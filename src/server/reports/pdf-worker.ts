// Lays out documents in its own process: the typesetter runs in native code, which can't be stopped in a thread, and its
// memory doesn't count as the thread's.
import { type PdfTask, typesetPdf } from './typeset.ts'

process.once('message', (task: PdfTask) => {
  process.send?.(typesetPdf(task.documents, task.fontsFolder), () => process.disconnect())
})
