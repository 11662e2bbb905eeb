// Lays out one document in its own thread, because a long report would block all requests.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import pdfmake from 'pdfmake'
import { documentOf } from './pdf-document.ts'
import type { ReportContent } from './report.ts'

const folder = join(dirname(fileURLToPath(import.meta.resolve('pdfmake/package.json'))), 'fonts', 'Roboto')
const font = (name: string): string => join(folder, `Roboto-${name}.ttf`)
pdfmake.setFonts({
  Roboto: {
    normal: font('Regular'),
    bold: font('Medium'),
    italics: font('Italic'),
    bolditalics: font('MediumItalic'),
  },
})
// Documents can't load URLs, or files other than the fonts.
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy((path) => path.startsWith(folder))

const content: ReportContent = workerData
const bytes = await pdfmake.createPdf(documentOf(content)).getBuffer()
parentPort?.postMessage(new Uint8Array(bytes), [])
