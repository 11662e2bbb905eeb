import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const STYLES = 'node_modules/@mantine/core/styles'
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
const importedStyles = (text: string): string[] =>
  [...text.matchAll(/@mantine\/core\/styles\/(\w+)\.layer\.css/g)].flatMap(([, name]) => name ?? [])

test('every component is shown with its styles: those of all screens, or imported in its folder', () => {
  const styled = new Set(
    readdirSync(STYLES).flatMap((name) => (name.endsWith('.layer.css') ? [name.split('.')[0] ?? ''] : [])),
  )
  const texts = new Map(
    filesIn('src/web')
      .filter((path) => /\.(tsx|css)$/.test(path))
      .map((path) => [path, readFileSync(path, 'utf8')]),
  )
  const common = new Set(
    ['ui/controls/controls.css', 'ui/layout/base.css', 'ui/layout/texts.css'].flatMap((path) =>
      importedStyles(texts.get(join('src/web', path)) ?? ''),
    ),
  )
  const ofFolder = Map.groupBy(
    [...texts].flatMap(([path, text]) =>
      importedStyles(text).map((name) => ({ folder: dirname(path), name })),
    ),
    ({ folder }) => folder,
  )
  const missing = [...texts].flatMap(([path, text]) => {
    const [, names = ''] = /import \{([^}]*)\} from '@mantine\/core'/.exec(text) ?? []
    const own = new Set((ofFolder.get(dirname(path)) ?? []).map(({ name }) => name))
    return names
      .split(',')
      .map((name) => name.trim())
      .flatMap((name) => (name === 'SegmentedControl' ? [name, 'FloatingIndicator'] : [name]))
      .filter((name) => styled.has(name) && !common.has(name) && !own.has(name))
      .map((name) => `${path}: ${name}`)
  })
  expect(missing).toEqual([])
})
