// Writes one workbook in its own thread, because a long report would block all requests.
import { parentPort, workerData } from 'node:worker_threads'
import type { ReportContent } from './report.ts'
import { writeWorkbook } from './workbook-document.ts'

const content: ReportContent = workerData
parentPort?.postMessage(new Uint8Array(await writeWorkbook(content)), [])
