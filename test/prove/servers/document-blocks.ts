import { readFile } from 'node:fs/promises'

/** The blocks in a language (`sh`, `sql`) under a heading of a document. */
export async function documentBlocks(file: string, heading: string, language: string): Promise<string[]> {
  const text = await readFile(file, 'utf8')
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? ''
  return [...section.matchAll(/^```(\w+)\n(.*?)^```/gms)].flatMap(([, kind, block = '']) =>
    kind === language ? [block] : [],
  )
}
