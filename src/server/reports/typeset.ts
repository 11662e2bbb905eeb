import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { create } from 'qrcode'
import type { PrintedDocument } from '#server/printed-document.ts'

/** Tried in this order for each letter, then the other fonts of the operator's folder and of the system. */
const FONTS = {
  'Noto Sans': 'noto-sans',
  'Noto Sans Arabic': 'noto-sans-arabic',
  'Noto Sans Hebrew': 'noto-sans-hebrew',
  'Noto Sans Devanagari': 'noto-sans-devanagari',
  'Noto Sans Thai': 'noto-sans-thai',
}
const folderOf = (font: string): string =>
  dirname(fileURLToPath(import.meta.resolve(`@expo-google-fonts/${font}/package.json`)))
const FOLDERS = Object.values(FONTS).flatMap((font) =>
  ['400Regular', '700Bold'].map((weight) => join(folderOf(font), weight)),
)

/** What the process that makes a PDF is sent, once. */
export type PdfTask = Readonly<{ documents: readonly PrintedDocument[]; fontsFolder: string | null }>

const TEMPLATE = 'printed-document.typ'

/**
 * Makes a tagged PDF (PDF/UA-1) of documents, one after the other. Letters that no font has are replaced by their numbers, such as `[U+4E2D]`, and a
 * note says so. Takes seconds and all of a processor for long documents, see `pdf-worker.ts`.
 * @param fontsFolder of the operator, with more fonts
 */
export function typesetPdf(documents: readonly PrintedDocument[], fontsFolder: string | null): Buffer {
  const compiler = NodeCompiler.create({
    fontArgs: [{ fontPaths: fontsFolder === null ? FOLDERS : [...FOLDERS, fontsFolder] }],
    workspace: import.meta.dirname,
  })
  const template = readFileSync(join(import.meta.dirname, TEMPLATE), 'utf8')
  const missing = new Set<string>()
  // A second attempt has numbers instead of the letters that the first lacked; the third is for letters that only appear then.
  for (let attempt = 1; ; attempt += 1) {
    const data = JSON.stringify(contentOf(documents, missing))
    const compiled = compiler.compile({ mainFileContent: template, inputs: { data } })
    if (compiled.result === null) {
      const problems = compiled.takeDiagnostics()
      throw new Error(`The document has errors: ${JSON.stringify(problems?.shortDiagnostics)}`)
    }
    try {
      return compiler.pdf(compiled.result, { pdfStandard: 'ua-1' })
    } catch (error) {
      const letters = lettersWithoutFont(error)
      if (letters.length === 0 || attempt === 3) throw error
      for (const letter of letters) missing.add(letter)
    }
  }
}

/** Of the compiler's error: "the text `\"中\"` could not be displayed with font". */
function lettersWithoutFont(error: unknown): string[] {
  const message = error instanceof Error ? error.message : ''
  return [...message.matchAll(/the text `\\"(.*?)\\"` could not be displayed/gs)].flatMap(([, text = '']) =>
    Array.from(
      text.replaceAll(/\\+u\{([\da-f]+)\}/g, (_, hex: string) =>
        String.fromCodePoint(Number.parseInt(hex, 16)),
      ),
    ),
  )
}

/** The words of the layout itself, in the languages of participants. */
const WORDS = {
  en: {
    page: 'Page {page} of {pages}',
    missing:
      'No font on this server has some of the characters. They are printed as their Unicode numbers, such as [U+4E2D].',
  },
  es: {
    page: 'Página {page} de {pages}',
    missing:
      'Ninguna fuente de este servidor tiene algunos de los caracteres. Aparecen con su número Unicode, por ejemplo [U+4E2D].',
  },
  fr: {
    page: 'Page {page} sur {pages}',
    missing:
      'Aucune police de ce serveur ne contient certains caractères. Ils sont imprimés sous leur numéro Unicode, par exemple [U+4E2D].',
  },
  de: {
    page: 'Seite {page} von {pages}',
    missing:
      'Einige Zeichen sind in keiner Schrift dieses Servers enthalten. Sie sind als Unicode-Nummern gedruckt, zum Beispiel [U+4E2D].',
  },
} as const
const wordsOf = (code: string): (typeof WORDS)[keyof typeof WORDS] =>
  code === 'es' || code === 'fr' || code === 'de' ? WORDS[code] : WORDS.en

type Print = (text: string) => string

/** What the template reads. */
function contentOf(documents: readonly PrintedDocument[], missing: ReadonlySet<string>): unknown {
  const print = (text: string): string => withNumbers(text.toWellFormed(), missing)
  const language = localeOf(documents[0]?.language ?? 'en')
  const { page, missing: note } = wordsOf(language.code)
  const titles = documents.map(({ title }) => print(title))
  return {
    fonts: Object.keys(FONTS),
    language,
    page,
    missing: missing.size === 0 ? null : note,
    title: titles.length > 1 ? `${titles[0]} (1 of ${titles.length})` : (titles[0] ?? ''),
    documents: documents.map((document) => partsOf(document, print)),
  }
}

function partsOf(
  { columns, codes = [], letterhead, list, ...document }: PrintedDocument,
  print: Print,
): unknown {
  const named = ({ title, value }: { title: string; value: string }) => ({
    title: print(title),
    value: print(value),
  })
  const {
    isPortrait = false,
    paper = 'a4',
    size = 'sheet',
    notes = [],
    attachments = [],
    signatures = [],
  } = document
  const width = isPortrait ? PORTRAIT_WIDTH : PAGE_WIDTH
  const limits = columns.map((column) => lettersIn(column, columns, width))
  return {
    size,
    paper,
    isPortrait,
    letterhead: letterhead ? { name: print(letterhead.name), lines: letterhead.lines.map(print) } : null,
    title: print(document.title),
    facts: document.facts.map(named),
    figures: document.figures.map(named),
    columns: columns.map(({ title, kind, share }) => ({
      title: print(title),
      share,
      isAmount: kind === 'money',
    })),
    groups: document.groups.map(({ title, rows }) => ({
      title: print(title),
      rows: rows.map((row) => row.map((text, at) => breakable(print(text), limits[at] ?? Infinity))),
    })),
    list: list ? { title: print(list.title), items: list.items.map(print) } : null,
    codes: codes.map(({ title, text, link }) => ({
      title: print(title),
      text: print(text),
      link,
      svg: drawQrCode(link),
    })),
    notes: notes.map(print),
    attachments,
    signature: document.signature === null ? null : print(document.signature),
    signatures: signatures.map(print),
  }
}

const withNumbers = (text: string, missing: ReadonlySet<string>): string =>
  missing.size === 0
    ? text
    : Array.from(text, (letter) =>
        missing.has(letter)
          ? `[U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`
          : letter,
      ).join('')

const RIGHT_TO_LEFT = new Set(['ar', 'ckb', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi'])

type Locale = { code: string; region: string | null; isReversed: boolean }

/** The typesetter's language and region of a language tag, and whether it is written from right to left. */
function localeOf(tag: string): Locale {
  try {
    const { language: code, region } = new Intl.Locale(tag)
    return {
      code,
      region: region !== undefined && /^[A-Z]{2}$/.test(region) ? region : null,
      isReversed: RIGHT_TO_LEFT.has(code),
    }
  } catch {
    return { code: 'en', region: null, isReversed: false }
  }
}

/** Points between the margins, and of an average letter with some to spare. */
const [PAGE_WIDTH, PORTRAIT_WIDTH, LETTER_WIDTH] = [720, 500, 5.5]

type Columns = PrintedDocument['columns']
function lettersIn({ share }: Columns[number], columns: Columns, width: number): number {
  const all = columns.reduce((sum, one) => sum + one.share, 0)
  return Math.max(4, Math.floor(((share / all) * width) / LETTER_WIDTH))
}

/** Lets words that are wider than their column, such as addresses, break: the template reads zero-width spaces as such places. */
function breakable(text: string, limit: number): string {
  return text.replaceAll(/[!-~]+/g, (word) =>
    word.length <= limit ? word : (word.match(new RegExp(`.{1,${limit}}`, 'g')) ?? []).join('\u200B'),
  )
}

/** Quiet zone around the code, in modules, so that cameras find its edge. */
const QUIET = 4

function drawQrCode(link: string): string {
  const { size, data } = create(link, { errorCorrectionLevel: 'M' }).modules
  const path = Array.from(data, (isDark, at) =>
    isDark ? `M${(at % size) + QUIET} ${Math.floor(at / size) + QUIET}h1v1h-1z` : '',
  ).join('')
  const side = size + QUIET * 2
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}"><path d="${path}"/></svg>`
}
