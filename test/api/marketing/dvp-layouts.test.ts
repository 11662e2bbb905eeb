import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jobs } from '#contract/jobs/jobs.ts'
import { forms } from '#contract/marketing/forms/forms.ts'
import { dvpLayouts } from '#contract/marketing/layouts/layouts.ts'
import { blankBlock } from '#contract/marketing/pages/blocks.ts'
import { clock } from '#server/clock.ts'
import { refusalOf, testApp, type TestApp } from '#test/app.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { describeRecord } from '#test/suites/records.ts'

describeRecord(dvpLayouts, () => ({
  name: fresh('Layout'),
  note: 'For offers',
  allowed: ['hero' as const, 'text' as const],
  isOrdered: true,
}))

describe('versions', () => {
  let forecourt: TestApp
  let place: TestOrganization
  beforeAll(async () => {
    forecourt = await testApp()
    place = await testOrganization(forecourt, 'Northgate Ford')
  })
  afterAll(() => forecourt.close())

  const terms = (text: string) => [{ ...blankBlock('disclaimer', 'terms'), data: { text } }]
  const versionsOf = async (id: string) => place.call(dvpLayouts.versions, { id })
  /** What a visitor of the page reads, once the site has nothing old anymore. */
  async function read(slug: string): Promise<string> {
    clock.advance(3_001)
    const url = `/p/${slug}`
    const headers = { host: 'northgate.localhost' }
    return (await forecourt.anonymous.send({ method: 'GET', url, headers })).text
  }

  test('each save that changes something keeps a version, and a restored one is shown on the public pages', async () => {
    const id = await place.addLayout({ allowed: ['text'], bottom: terms('Until Friday.') })
    const { slug } = await place.addPage({ layoutId: id, lotId: null }, { isPublished: true })
    await place.addPage({ layoutId: id })
    const first = await place.call(dvpLayouts.get, { id })
    expect(first).toMatchObject({ pages: 2, publishedPages: 1 })
    await place.call(dvpLayouts.update, { ...first, allowed: ['text'] })
    const changed = await place.call(dvpLayouts.update, {
      id,
      name: `${first.name} II`,
      note: 'Winter',
      allowed: ['text', 'hero'],
      isOrdered: true,
      top: terms('Snow.').map((block) => ({ ...block, id: 'snow' })),
      bottom: [],
    })
    const content = ({ name, note, allowed, isOrdered, top, bottom }: typeof first) => ({
      name,
      note,
      allowed,
      isOrdered,
      top,
      bottom,
    })
    expect(await versionsOf(id)).toEqual([
      { version: 2, at: changed.updatedAt, by: changed.updatedBy, ...content(changed) },
      { version: 1, at: first.updatedAt, by: first.updatedBy, ...content(first) },
    ])
    expect(await place.call(dvpLayouts.version, { id, number: 1 })).toMatchObject(content(first))
    await expect(place.call(dvpLayouts.version, { id, number: 3 })).toRefuse(404)

    expect(await read(slug)).toContain('Snow.')
    const stale = await refusalOf(place.call(dvpLayouts.restore, { id, version: first.version, to: 1 }))
    expect([stale.status, stale.refusal.current]).toEqual([409, changed])
    const restored = await place.call(dvpLayouts.restore, { id, version: changed.version, to: 1 })
    expect(restored).toMatchObject({ ...content(first), version: 3, publishedPages: 1 })
    const shown = await read(slug)
    expect([shown.includes('Until Friday.'), shown.includes('Snow.')]).toEqual([true, false])
    expect((await versionsOf(id)).map(({ version }) => version)).toEqual([3, 2, 1])
    const { rows } = await forecourt.owner.query(
      `select endpoint from audit_log where table_name = 'dvp_layouts' and row_id = $1 order by id`,
      [id],
    )
    expect(rows.map(({ endpoint }) => endpoint)).toEqual([
      'dvpLayouts.add',
      'dvpLayouts.update',
      'dvpLayouts.restore',
    ])
  })

  test('a version whose form was deleted since is refused with the name of the block', async () => {
    const form = await place.addForm()
    const asks = { ...blankBlock('form', 'ask'), data: { heading: 'Ask us', formKey: form.key } }
    const id = await place.addLayout({ bottom: [...terms('All offers end.'), asks] })
    await place.call(dvpLayouts.update, { id, bottom: [] })
    await place.call(forms.remove, { id: form.id })
    const { status, refusal } = await refusalOf(place.call(dvpLayouts.restore, { id, version: 2, to: 1 }))
    expect([status, refusal.fields?.['bottom']]).toEqual([
      400,
      expect.stringContaining('Block 2 (Form): its form doesn'),
    ])
    expect(await place.call(dvpLayouts.get, { id })).toMatchObject({ version: 2, bottom: [] })
  })

  test('an undo of the deletion brings the versions of a layout back', async () => {
    const id = await place.addLayout({ bottom: terms('Until Friday.') })
    await place.call(dvpLayouts.update, { id, bottom: [] })
    const before = await versionsOf(id)
    const removal = await place.call(dvpLayouts.removeMany, { selection: { ids: [id] } })
    await forecourt.jobs.runDue()
    await expect(versionsOf(id)).toRefuse(404)
    await place.call(jobs.undo, { id: removal.id })
    await forecourt.jobs.runDue()
    expect(await versionsOf(id)).toEqual(before)
    const { version } = await place.call(dvpLayouts.get, { id })
    await place.call(dvpLayouts.restore, { id, version, to: 1 })
    expect((await versionsOf(id)).map((one) => one.version)).toEqual([3, 2, 1])
  })

  test('another customer finds neither versions nor a way to restore one', async () => {
    const id = await place.addLayout({ bottom: terms('Until Friday.') })
    const other = await testOrganization(forecourt, 'Harbor Honda')
    await expect(other.call(dvpLayouts.versions, { id })).toRefuse(404)
    await expect(other.call(dvpLayouts.version, { id, number: 1 })).toRefuse(404)
    await expect(other.call(dvpLayouts.restore, { id, to: 1 })).toRefuse(404)
  })
})
