// @module-tag release
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forms } from '#contract/marketing/forms/forms.ts'
import { blankBlock } from '#contract/marketing/pages/blocks.ts'
import { promoPages } from '#contract/marketing/pages/promo-pages.ts'
import { savedBlocks } from '#contract/marketing/saved-blocks/saved-blocks.ts'
import { refusalOf, testApp, type TestApp } from '#test/app.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { describeRecord } from '#test/suites/records.ts'

const terms = (text: string) => ({ ...blankBlock('disclaimer', 'terms'), data: { text } })

describeRecord(savedBlocks, () => ({ name: fresh('Terms'), blocks: [terms('While supplies last.')] }))

describe('saved blocks', () => {
  let forecourt: TestApp
  let place: TestOrganization
  beforeAll(async () => {
    forecourt = await testApp()
    place = await testOrganization(forecourt, 'Northgate Ford')
  })
  afterAll(() => forecourt.close())

  test('blocks that no page may have are rejected', async () => {
    const add = (blocks: unknown) =>
      refusalOf(place.call(savedBlocks.add, savedBlocks.add.input.parse({ name: fresh('Terms'), blocks })))
    expect((await add([terms('From $9,995')])).refusal.fields?.['blocks']).toMatch(
      /^Block 1 \(Disclaimer\): “\$9,995” is typed by hand/,
    )
    const unknown = { id: 'one', type: 'carousel', v: 1, data: {} }
    expect((await add([unknown])).refusal.fields?.['blocks']).toMatch(/doesn’t know this type of block/)
    const { id } = await place.call(savedBlocks.add, { name: fresh('Terms'), blocks: [terms('As is.')] })
    await expect(place.call(savedBlocks.update, { id, blocks: [terms('$5 each')] })).toRefuse(400)
    await expect(place.call(savedBlocks.update, { id, blocks: [] })).toRefuse(400)
  })

  test('a page keeps its copy when the saved blocks change, and its layout decides about it', async () => {
    const id = await place.addSavedBlocks({ blocks: [terms('Until Friday.')] })
    const { blocks } = await place.call(savedBlocks.get, { id })
    const page = await place.addPage({ blocks })
    await place.call(savedBlocks.update, { id, blocks: [terms('Until Sunday.')] })
    expect((await place.call(promoPages.get, { id: page.id })).blocks).toEqual(blocks)
    const layoutId = await place.addLayout({ allowed: ['text'] })
    await expect(place.call(promoPages.update, { id: page.id, layoutId })).toRefuse(400)
  })

  test('a form in saved blocks can’t be deleted', async () => {
    const form = await place.addForm()
    const name = fresh('Ask us')
    await place.addSavedBlocks({
      name,
      blocks: [{ ...blankBlock('form', 'ask'), data: { heading: '', formKey: form.key } }],
    })
    const { status, refusal } = await refusalOf(place.call(forms.remove, { id: form.id }))
    expect([status, refusal.message]).toEqual([409, expect.stringContaining(`saved block ${name}`)])
  })
})
