// Writes docs/proof.md: the results of the latest run of each part of `npm run prove`.
import { readFile, writeFile } from 'node:fs/promises'

const HEAD = `# Proofs

The checks that take too long for \`npm test\`, in parts of at most 15 minutes. \`npm run prove -- <part>\` runs one part
and replaces its row here; \`npm run prove\` runs all of them, which is done before a release. Dates are in UTC. A commit
with "+ changes" had changes that were not committed.

| part | commit | date | passed | failed | wall time | CPU seconds | figures |
|---|---|---|---|---|---|---|---|
`

/**
 * The page with the row of one part replaced or added. The rows are in the order of their parts' names.
 * @param {string} page
 * @param {{ part: string, commit: string, date: string, passed: number, failed: number, wall: string, cpu: string,
 *   figures: string[] }} run
 */
export function replaceRow(page, run) {
  const { part, commit, date, passed, failed, wall, cpu, figures } = run
  const figureText = figures.map((figure) => figure.replaceAll('|', '\\|')).join('; ')
  const row = `| ${[part, commit, date, passed, failed, wall, cpu, figureText].join(' | ')} |`
  const rows = page.split('\n').filter((line) => /^\| [a-z]/.test(line) && !line.startsWith('| part |'))
  const others = rows.filter((line) => !line.startsWith(`| ${part} |`))
  return `${HEAD}${[...others, row].toSorted().join('\n')}\n`
}

/** Writes the row of one run into the page. */
export async function recordRun(path, run) {
  const page = await readFile(path, 'utf8').catch(() => '')
  await writeFile(path, replaceRow(page, run))
}

/**
 * The figures of a run, without repetitions: the lines that its proofs added to the file, and those of the output that
 * begin with "figure:". A figure is "name = value".
 */
export function collectFigures({ output, file }) {
  const printed = [...output.matchAll(/^\s*figure:\s*(.+?)\s*$/gm)].map(([, figure]) => figure)
  const written = file.split('\n').map((line) => line.trim().replace(/^figure:\s*/, ''))
  return [...new Set([...written, ...printed])].filter((figure) => figure !== '')
}
