import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const WEB = new URL('../../', import.meta.url)
/** `onSaved` is called although more was typed meanwhile; `closes` isn't. */
const CLOSES_ALWAYS =
  /onSaved=\{(?:(?!\n\s*(?:[a-zA-Z]+=|>|\/>))[^])*?\b(?:close|onClose|onDone|navigate|goTo)\b/

test('no editor of records closes a form that more was typed into while it was saved', () => {
  const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'))
  const editors = files.flatMap((name) => {
    const text = readFileSync(new URL(name, WEB), 'utf8')
    return /<Record(?:Editor|Drawer)\b/.test(text) ? [{ name, text }] : []
  })
  expect(editors.length).toBeGreaterThan(10)
  expect(editors.filter(({ text }) => CLOSES_ALWAYS.test(text)).map(({ name }) => name)).toEqual([])
  expect(CLOSES_ALWAYS.test("onSaved={() => {\n toast('x')\n onClose()\n }}")).toBe(true)
})
