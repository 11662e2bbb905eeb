import type { Content, TableCell, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import type { ReportContent } from './report.ts'

const INK = '#1d2523'
const QUIET = '#5c6966'
const HAIRLINE = '#d5dcda'
const SHADE = '#f1f4f3'

/**
 * Lays out a report on landscape pages: title, facts and figures first; column headers on every page, and the title of a
 * group that continues. No group title is left alone at the bottom of a page.
 */
export function documentOf(report: ReportContent): TDocumentDefinitions {
  const facts = report.facts.map(({ title, value }) => `${title}: ${value}`).join('   ')
  return {
    pageSize: 'A4',
    pageOrientation: 'landscape',
    pageMargins: [36, 62, 36, 44],
    info: { title: report.title },
    defaultStyle: { font: 'Roboto', fontSize: 8.5, color: INK, lineHeight: 1.15 },
    styles: {
      title: { fontSize: 18, bold: true, margin: [0, 0, 0, 4] },
      quiet: { color: QUIET, fontSize: 8 },
      figure: { fontSize: 14, bold: true },
      head: { bold: true, fontSize: 8, color: QUIET },
      group: { bold: true, fillColor: SHADE },
    },
    header: (page) =>
      page === 1
        ? null
        : {
            stack: [
              { text: `${report.title}   ${facts}`, style: 'quiet', margin: [0, 0, 0, 8] },
              ...(report.columns.length === 0 ? [] : [headOf(report)]),
            ],
            margin: [36, 20, 36, 0],
          },
    footer: (page, pages) => ({
      text: `Page ${page} of ${pages}`,
      style: 'quiet',
      alignment: 'right',
      margin: [36, 12, 36, 0],
    }),
    content: [
      { text: report.title, style: 'title' },
      { text: facts, style: 'quiet', margin: [0, 0, 0, 12] },
      figuresOf(report),
      ...codesOf(report),
      ...(report.columns.length === 0 ? [] : [headOf(report)]),
      ...report.groups.map((group) => groupOf(report, group)),
      ...signatureOf(report),
    ],
  }
}

function figuresOf({ figures }: ReportContent): Content {
  return {
    columns: figures.map(({ title, value }) => ({
      stack: [
        { text: value, style: 'figure' },
        { text: title, style: 'quiet' },
      ],
    })),
    columnGap: 8,
    margin: [0, 0, 0, 14],
  }
}

const LINES = {
  hLineWidth: () => 0.5,
  vLineWidth: () => 0,
  hLineColor: () => HAIRLINE,
  paddingTop: () => 4,
  paddingBottom: () => 4,
}

function widthsOf({ columns }: ReportContent): string[] {
  const all = columns.reduce((sum, { share }) => sum + share, 0)
  return columns.map(({ share }) => `${(share / all) * 100}%`)
}

function headOf(report: ReportContent): Content {
  const head = report.columns.map(({ title }): TableCell => ({ text: title, style: 'head' }))
  return { table: { widths: widthsOf(report), body: [head] }, layout: LINES }
}

function groupOf(report: ReportContent, { title, rows }: ReportContent['groups'][number]): Content {
  const width = report.columns.length
  const rest = Array.from({ length: width - 1 }, (): TableCell => ({ text: '', style: 'group' }))
  const head: TableCell[] = [{ text: title, style: 'group', colSpan: width }, ...rest]
  const body = rows.map((row) => row.map((text): TableCell => ({ text })))
  return {
    table: {
      headerRows: 1,
      keepWithHeaderRows: 1,
      dontBreakRows: true,
      widths: widthsOf(report),
      body: [head, ...body],
    },
    // The previous table draws the top line.
    layout: { ...LINES, hLineWidth: (line: number) => (line === 0 ? 0 : 0.5) },
  }
}

const CODES_IN_LINE = 4

/** QR codes in lines, each with its address for those who type it. Above 1 in, so that phones read them from a hang tag. */
function codesOf({ codes = [] }: ReportContent): Content[] {
  return Array.from({ length: Math.ceil(codes.length / CODES_IN_LINE) }, (_, line) => {
    const shown = codes.slice(line * CODES_IN_LINE, (line + 1) * CODES_IN_LINE)
    const cells = shown.map(({ title, link, text }): TableCell => ({
      stack: [
        { qr: link, fit: 112, eccLevel: 'M', margin: [0, 0, 0, 4] },
        { text, bold: true },
        { text: title, style: 'quiet' },
      ],
    }))
    const rest = Array.from({ length: CODES_IN_LINE - cells.length }, (): TableCell => ({ text: '' }))
    return {
      table: { dontBreakRows: true, widths: Array(CODES_IN_LINE).fill('25%'), body: [[...cells, ...rest]] },
      layout: 'noBorders',
      margin: [0, 0, 0, 14],
    }
  })
}

function signatureOf({ signature }: ReportContent): Content[] {
  if (signature === null) return []
  return [
    {
      stack: [
        { canvas: [{ type: 'line', x1: 0, y1: 0, x2: 320, y2: 0, lineWidth: 0.5, lineColor: QUIET }] },
        { text: signature, style: 'quiet', margin: [0, 4, 0, 0] },
      ],
      unbreakable: true,
      margin: [0, 44, 0, 0],
    },
  ]
}
