import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ALLOWED_TEXTS, NOT_IN_CODE, NOT_IN_TEXTS, type OldWord } from '../tools/old-words.ts'
import { findSentences } from '../tools/sentences.ts'

const project = resolve(import.meta.dirname, '..')

async function readSources(folders: readonly string[]): Promise<{ path: string; source: string }[]> {
  const entries = await Promise.all(
    folders.map((folder) => readdir(join(project, folder), { recursive: true, withFileTypes: true })),
  )
  const paths = entries
    .flat()
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(
    paths.map(async (path) => ({
      path: path.slice(project.length + 1),
      source: await readFile(path, 'utf8'),
    })),
  )
}

/** The list itself, and a test of stored data with former names. */
const WITH_OLD_WORDS = ['tools/old-words.ts', 'test/factories/database/former-names.ts']

const findWords = (text: string, words: readonly OldWord[]) =>
  words.flatMap(({ pattern, better }) => {
    const found = pattern.exec(text)?.[0]
    return found === undefined ? [] : [`"${found}": ${better}`]
  })

test('texts that users read have none of the old words', { timeout: 60_000 }, async () => {
  const sentences = (await readSources(['src'])).flatMap(({ path, source }) => findSentences(path, source))
  expect(sentences.length).toBeGreaterThan(5_000)
  const wrong = sentences.flatMap(({ path, line, text }) =>
    (ALLOWED_TEXTS.some((allowed) => allowed.test(text)) ? [] : findWords(text, NOT_IN_TEXTS)).map(
      (word) => `${path}:${line}: ${word} in: ${text}`,
    ),
  )
  expect(wrong).toEqual([])
})

test('code and comments have none of the old words', { timeout: 60_000 }, async () => {
  const wrong = (await readSources(['src', 'test', 'e2e', 'demo', 'bench', 'tools'])).flatMap(
    ({ path, source }) =>
      WITH_OLD_WORDS.includes(path)
        ? []
        : source
            .split('\n')
            .flatMap((text, at) => findWords(text, NOT_IN_CODE).map((word) => `${path}:${at + 1}: ${word}`)),
  )
  expect(wrong).toEqual([])
})

test.for([
  ['an element', '<p>Nobody knows.</p>', ['Nobody knows.']],
  ['an attribute', '<b title="Nobody" className="fc-head now" />', ['Nobody']],
  ['a template', 'const a = `Only ${n} of ${total} rows.`', ['Only {…} of {…} rows.']],
  ['a property', "const a = { label: 'Stock', key: 'stock number' }", ['Stock', 'stock number']],
  ['no query, import, comparison or style', "import 'a b'; if (a === 'b c') sql`select a b`; css('a b')", []],
] as const)('the texts of %s are found', ([, source, texts]) => {
  expect(findSentences('src/web/x.tsx', source).map(({ text }) => text)).toEqual(texts)
})
