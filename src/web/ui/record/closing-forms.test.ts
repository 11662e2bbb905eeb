import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const WEB = new URL('../../', import.meta.url)
/** `onSaved` is called although more was typed meanwhile; `closes` isn't. */
const CLOSES_ALWAYS =
  /onSaved=\{(?:(?!\n\s*(?:[a-zA-Z]+=|>|\/>))[^])*?\b(?:close|onClose|onDone|navigate|goTo)\b/

test('no editor of records closes a form that more was typed into while it was saved', () => {
  const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.tsx'),
  )
  const editors = files.flatMap((name) => {
    const text = readFileSync(new URL(name, WEB), 'utf8')
    return /<Record(?:Editor|Drawer)\b/.test(text) ? [{ name, text }] : []
  })
  expect(editors.length).toBeGreaterThan(10)
  expect(editors.filter(({ text }) => CLOSES_ALWAYS.test(text)).map(({ name }) => name)).toEqual([])
  expect(CLOSES_ALWAYS.test("onSaved={() => {\n toast('x')\n onClose()\n }}")).toBe(true)
})

/** What a form does when its call has succeeded, so that its fields go away. */
const GOES = /\b(?:onAnswer|onClose|onCreated|onDone|onAdded|close|done|navigate)\(/
const TEXT_INPUT = /<(?:Textarea|TextInput|Autocomplete|NumberField|TagsInput|TagsField)\b/
const CALL = /\buse(?:Mutation|CallForm|RecordForm)\b/
/** Fields can't be changed meanwhile, or the form that opens next takes what is typed, or it stays open. */
const CARES =
  /<(?:AreaDialog|CallForm|Locked|ReasonForm|Record(?:Dialog|Drawer|Editor|Page))\b|\bisClosing\b|\bisTyping\b|\bwithoutSent\(|\bdisabled=\{[^}]*(?:isPending|isBusy)/
/** The same form goes on with the new record. */
const GOES_ON = ['feeds/mappings/MappingForm.tsx']
/** Forms with passwords and codes say by their button that they are sent, and the person waits for the answer. */
const WAITED_FOR =
  /^(?:identity\/(?:passwords|second-factor|sign-in)|shell\/(?:ChangePassword|reauthenticate))/

test('whatever closes when its call succeeds locks its fields, or keeps what is typed meanwhile', () => {
  const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.tsx') && !name.endsWith('.test.tsx'),
  )
  const closing = files
    .map((name) => ({ name, text: readFileSync(new URL(name, WEB), 'utf8') }))
    .filter(({ text }) => TEXT_INPUT.test(text) && CALL.test(text) && GOES.test(text))
  expect(closing.length).toBeGreaterThan(20)
  const losing = closing.filter(
    ({ name, text }) => !CARES.test(text) && !WAITED_FOR.test(name) && !GOES_ON.includes(name),
  )
  expect(losing.map(({ name }) => name)).toEqual([])
})
