import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { Definition } from '#contract/questions/definition.ts'
import { refusalOf, type Caller } from '#test/app.ts'

type Calls = Readonly<
  Record<'get' | 'update' | 'publish' | 'versions', Endpoint> &
    Partial<Record<'version' | 'openDraft' | 'discardDraft' | 'duplicate', Endpoint>>
>
type Subject = Readonly<{
  caller: Caller
  /** An administrator of another customer. */
  stranger: Caller
  /** Adds a document, published as version 1. */
  add: () => Promise<{ id: string }>
}>

const Stored = z.object({
  id: z.string(),
  name: z.string(),
  version: z.number(),
  publishedNumber: z.number().nullable(),
  draft: Definition,
})
const Listed = z.array(z.object({ number: z.number(), publishedBy: z.string().nullable() }))
const Kept = z.object({ number: z.number(), definition: Definition })

const titled = (draft: Definition, title: string): Definition => ({
  ...draft,
  sections: draft.sections.map((section, at) => (at === 0 ? { ...section, title: { en: title } } : section)),
})

/** The calls of a document, parsed. */
function helpersOf(calls: Calls, start: () => Subject) {
  const ask = async (endpoint: Endpoint, input: object) =>
    Stored.parse(await start().caller.call(endpoint, input))
  const opened = (id: string) => ask(calls.openDraft ?? calls.get, { id })
  const saved = async (id: string, title: string) => {
    const { version, draft } = await opened(id)
    return ask(calls.update, { id, version, draft: titled(draft, title) })
  }
  const published = async (id: string, title: string) => {
    const { version } = await saved(id, title)
    return ask(calls.publish, { id, version })
  }
  const definitionOf = async (id: string, number: number) => {
    const { caller } = start()
    if (calls.version !== undefined) {
      return Kept.parse(await caller.call(calls.version, { id, number })).definition
    }
    const all = z.array(Kept).parse(await caller.call(calls.versions, { id }))
    return all.find((one) => one.number === number)?.definition
  }
  return { ask, opened, saved, published, definitionOf }
}

/** Tests the draft and the versions of a document. `start` runs in each test. */
export function testDocument(calls: Calls, start: () => Subject): void {
  const { ask, opened, saved, published, definitionOf } = helpersOf(calls, start)

  test('two people who save one draft: the second one gets 409 with the current document', async () => {
    const { caller, add } = start()
    const { id } = await add()
    const { version, draft } = await opened(id)
    const first = await ask(calls.update, { id, version, draft: titled(draft, 'First') })
    const refusal = await refusalOf(
      caller.call(calls.update, { id, version, draft: titled(draft, 'Second') }),
    )
    expect(refusal.status).toBe(409)
    expect(Stored.parse(refusal.refusal.current)).toEqual(first)
    await expect(caller.call(calls.publish, { id, version })).toRefuse(409)
  })

  test('each publication is the next version, listed newest first, and the former ones never change', async () => {
    const { caller, add } = start()
    const { id } = await add()
    const before = await definitionOf(id, 1)
    expect(await published(id, 'Second')).toMatchObject({ publishedNumber: 2 })
    expect(await published(id, 'Third')).toMatchObject({ publishedNumber: 3 })
    const versions = Listed.parse(await caller.call(calls.versions, { id }))
    expect(versions.map(({ number }) => number)).toEqual([3, 2, 1])
    expect(versions[0]?.publishedBy).not.toBeNull()
    expect(await definitionOf(id, 1)).toEqual(before)
    expect((await definitionOf(id, 2))?.sections[0]?.title['en']).toBe('Second')
  })

  test('the content of a former version is restored in the draft and published as a new version', async () => {
    const { add } = start()
    const { id } = await add()
    const former = await definitionOf(id, 1)
    await published(id, 'Second')
    const { version } = await opened(id)
    const restored = await ask(calls.update, { id, version, draft: former })
    expect(restored).toMatchObject({ draft: former, publishedNumber: 2 })
    await ask(calls.publish, { id, version: restored.version })
    expect(await definitionOf(id, 3)).toEqual(former)
    expect((await definitionOf(id, 2))?.sections[0]?.title['en']).toBe('Second')
  })

  test('the draft and the versions do not exist for another customer', async () => {
    const { stranger, add } = start()
    const { id } = await add()
    const { version, draft } = await saved(id, 'Secret')
    const tried = [
      { endpoint: calls.get, input: { id } },
      { endpoint: calls.update, input: { id, version, draft } },
      { endpoint: calls.publish, input: { id, version } },
      { endpoint: calls.versions, input: { id } },
      { endpoint: calls.version, input: { id, number: 1 } },
      { endpoint: calls.openDraft, input: { id } },
      { endpoint: calls.discardDraft, input: { id, version } },
      { endpoint: calls.duplicate, input: { id } },
    ].flatMap(({ endpoint, input }) => (endpoint === undefined ? [] : [stranger.call(endpoint, input)]))
    await Promise.all(tried.map((call) => expect(call).toRefuse(404)))
    expect(await ask(calls.get, { id })).toMatchObject({ version, draft })
  })
}

/** Tests a document whose draft can be discarded, and that can be copied. */
export function testDraftCalls(
  calls: Calls & Required<Pick<Calls, 'discardDraft' | 'duplicate'>>,
  start: () => Subject,
): void {
  const { ask, saved, definitionOf } = helpersOf(calls, start)
  const { discardDraft, duplicate } = calls

  test('a discarded draft is the published version again', async () => {
    const { caller, add } = start()
    const { id } = await add()
    const former = await definitionOf(id, 1)
    const { version } = await saved(id, 'Changed')
    await expect(caller.call(discardDraft, { id, version: version - 1 })).toRefuse(409)
    expect(await ask(discardDraft, { id, version })).toMatchObject({ draft: former, publishedNumber: 1 })
  })

  test('a copy is a draft of its own, and each copy has another name', async () => {
    const { caller, add } = start()
    const { id } = await add()
    const { name, draft } = await ask(calls.get, { id })
    const copy = await ask(duplicate, { id })
    expect(copy).toMatchObject({ name: `${name} (copy)`, draft, publishedNumber: null })
    expect(await ask(duplicate, { id })).toMatchObject({ name: `${name} (copy) 2` })
    expect(await caller.call(calls.versions, { id: copy.id })).toEqual([])
  })
}
