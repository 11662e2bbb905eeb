// `node tools/structure.mjs`: figures about the structure of the code; `--names` adds what is behind those that should become
// zero. test/architecture.test.ts compares each with its ceiling in
// test/structure.json. Ceilings are only ever lowered.
import { execSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'

const project = resolve(import.meta.dirname, '..')

/** The figures, and the names behind those that should become zero. */
export function measureStructure() {
  const texts = readSources()
  const files = [...texts.keys()]
  const importers = new Map(files.map((file) => [file, new Set()]))
  /** Loaded on demand, or offered to other domains: their size doesn't matter. */
  const entries = new Set()
  const pairs = new Set()
  for (const [from, text] of texts) {
    for (const [statement, to] of text.matchAll(/(?:from|import|import\()\s*'([#.][^']+)'/g)) {
      const target = to[0] === '#' ? `src/${to.slice(1)}` : posix.join(posix.dirname(from), to)
      if (!importers.has(target)) continue
      importers.get(target).add(from)
      if (statement.startsWith('import(') || from.endsWith('/index.ts')) entries.add(target)
      const [one, other] = [folderOf(from), folderOf(target)]
      if (one !== '' && other !== '' && one !== other) pairs.add(`${one} ${other}`)
    }
  }
  const mutual = [...pairs].filter((pair) => {
    const [one, other] = pair.split(' ')
    return one < other && pairs.has(`${other} ${one}`)
  })
  const fragments = files.filter(
    (file) =>
      importers.get(file).size === 1 &&
      !entries.has(file) &&
      !file.endsWith('.css') &&
      linesOf(texts.get(file)) < 40,
  )
  const web = files.filter((file) => file.startsWith('src/web/'))
  const count = (pattern, where = web) =>
    where.reduce((sum, file) => sum + (texts.get(file).match(pattern)?.length ?? 0), 0)
  const shared = sharedClasses(texts)
  return {
    figures: {
      files: files.length,
      lines: files.reduce((sum, file) => sum + linesOf(texts.get(file)), 0),
      mutual: mutual.length,
      fragments: fragments.length,
      cssLines: files.filter(isCss).reduce((sum, file) => sum + linesOf(texts.get(file)), 0),
      globalClasses: globalClasses(texts).size,
      sharedClasses: shared.length,
      ownForms: web.filter((file) => !isForm(file) && /\b(useRecordForm|useForm)[<(]/.test(texts.get(file)))
        .length,
      failureStates: count(/<FailureState\b/g),
      refetchIntervals: count(/\brefetchInterval\b/g),
      explainRefusals: count(
        /function explainRefusal\b/g,
        files.filter((file) => file.startsWith('src/server/')),
      ),
    },
    names: { mutual, sharedClasses: shared },
  }
}

function readSources() {
  const listed = execSync('git ls-files --cached --others --exclude-standard src', {
    cwd: project,
    encoding: 'utf8',
  })
  const paths = [...new Set(listed.split('\n'))].filter(
    (file) => /\.(tsx?|css)$/.test(file) && !file.includes('.test.'),
  )
  return new Map(
    paths.flatMap((file) => {
      try {
        return [[file, readFileSync(join(project, file), 'utf8')]]
      } catch {
        // Deleted, but not committed yet.
        return []
      }
    }),
  )
}

const isCss = (file) => file.endsWith('.css')
/** The construction kit, which every other form is built with. */
const isForm = (file) => file.startsWith('src/web/ui/')
const linesOf = (text) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
/** `server/leads/routing`; empty for files directly in a root or a domain. */
const folderOf = (file) => (file.split('/').length > 4 ? file.split('/').slice(1, 4).join('/') : '')

/** The files with rules for each class, without CSS modules, whose classes are local. */
function globalClasses(texts) {
  const found = new Map()
  for (const [file, text] of texts) {
    if (!isCss(file) || file.endsWith('.module.css')) continue
    for (const name of definedClasses(text)) found.set(name, [...(found.get(name) ?? []), file])
  }
  return found
}

/**
 * The classes that a style sheet defines: of each selector the last compound, whose rule it is. `.fc-page .fc-title` is about
 * `fc-title`, but inside of a page, which another sheet can't change by accident, so only single compounds count.
 */
function definedClasses(text) {
  const names = new Set()
  const plain = text.replaceAll(/\/\*[\s\S]*?\*\/|@import[^;]*;/g, '')
  for (const [, selectors] of plain.matchAll(/([^{}]+)\{/g)) {
    if (selectors.trim().startsWith('@')) continue
    // Without what stands in parentheses, which restricts a selector and defines nothing.
    for (const selector of selectors.replaceAll(/\([^()]*\)/g, '').split(',')) {
      const single = /^\.([\w-]+)(?:::?[\w-]+)*$/.exec(selector.trim())
      if (single !== null) names.add(single[1])
    }
  }
  return names
}

/**
 * The classes that two files define, and those that one domain defines and a style sheet of another domain selects: the second one
 * means a class of its own, and gets the rules of the first as soon as that page was opened.
 */
function sharedClasses(texts) {
  const defined = globalClasses(texts)
  const twice = [...defined].flatMap(([name, files]) =>
    files.length > 1 ? [`${name}: ${files.join(', ')}`] : [],
  )
  const across = [...texts].flatMap(([file, text]) =>
    isCss(file)
      ? [...selectedClasses(text)].flatMap((name) => {
          const [owner] = BORROWED.has(name) ? [] : (defined.get(name) ?? [])
          const domain = owner === undefined ? null : domainOf(owner)
          return domain === null || domain === domainOf(file) ? [] : [`${name}: ${owner}, ${file}`]
        })
      : [],
  )
  return [...twice, ...across]
}

/** Of components that other domains show and place: the link of an email, the photo of a vehicle. */
const BORROWED = new Set(['fc-copy', 'fc-row-picture'])

/** The folder of a page's styles; null for those of the kit, which every page builds on. */
function domainOf(file) {
  const [, root, folder] = file.split('/')
  return root !== 'web' || ['ui', 'shell', 'session', 'questions'].includes(folder) ? null : folder
}

const selectedClasses = (text) =>
  new Set(
    [...text.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{}]+)\{/g)].flatMap(([, selectors]) =>
      [...selectors.matchAll(/\.(fc-[\w-]+)/g)].map(([, name]) => name),
    ),
  )

if (process.argv[1] === import.meta.filename) {
  const { figures, names } = measureStructure()
  console.log(JSON.stringify(process.argv.includes('--names') ? { ...figures, names } : figures, null, 2))
}
