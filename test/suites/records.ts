import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import type { Seen } from '#contract/deletion.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { type Job, jobs } from '#contract/jobs/jobs.ts'
import type { Selection } from '#contract/lists/selection.ts'
import { type Caller, refusalOf, testApp, type TestApp } from '#test/app.ts'

type Saved = { id: string; name: string; version: number; updatedAt: string; updatedBy: string | null }
type Calls<Row extends Saved, New> = {
  list: Endpoint<
    z.ZodType<unknown, { search?: string | undefined }>,
    z.ZodType<{ filteredRows: number; totalRows: number; results: Row[] }>
  >
  get: Endpoint<z.ZodType<unknown, { id: string | number }>, z.ZodType<Row>>
  add: Endpoint<z.ZodType<unknown, New>, z.ZodType<Row>>
  update: Endpoint<
    z.ZodType<
      unknown,
      { id: string | number; version?: number | string | undefined; name?: string | undefined }
    >,
    z.ZodType<Row>
  >
  remove: Endpoint<typeof Seen, z.ZodType<Row | null>>
  removeMany: Endpoint<z.ZodType<unknown, { selection: z.input<typeof Selection> }>, z.ZodType<Job>>
}

/**
 * Tests what every record can do that `crud` declares. Access and other tenants are covered by the matrices.
 * @param make a new record with a name of its own.
 */
export function describeRecord<Row extends Saved, New>(calls: Calls<Row, New>, make: () => New): void {
  let forecourt: TestApp
  let admin: Caller
  beforeAll(async () => {
    forecourt = await testApp()
    admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  })
  afterAll(() => forecourt.close())

  test('a record is added, found, changed and deleted', async () => {
    const added = await admin.call(calls.add, make())
    expect(await admin.call(calls.get, { id: added.id })).toEqual(added)
    const found = await admin.call(calls.list, { search: added.name })
    expect(found.results.map(({ id }) => id)).toEqual([added.id])
    const changed = await admin.call(calls.update, {
      id: added.id,
      version: added.version,
      name: `${added.name} II`,
    })
    expect(changed).toMatchObject({ ...added, ...changed, name: `${added.name} II` })
    expect(changed.version).toBeGreaterThan(added.version)
    expect(await admin.call(calls.remove, { id: added.id })).toBeNull()
    await expect(admin.call(calls.get, { id: added.id })).toRefuse(404)
  })

  test('a change of an outdated version is rejected with the current record', async () => {
    const { id, version, name } = await admin.call(calls.add, make())
    const current = await admin.call(calls.update, { id, version, name: `${name} first` })
    const { status, refusal } = await refusalOf(
      admin.call(calls.update, { id, version, name: `${name} second` }),
    )
    expect([status, refusal.current]).toEqual([409, current])
  })

  test('deleted records are restored with their IDs and values', async () => {
    const added = [await admin.call(calls.add, make()), await admin.call(calls.add, make())]
    const ids = added.map(({ id }) => id)
    const removal = await admin.call(calls.removeMany, { selection: { ids } })
    await forecourt.jobs.runDue()
    for (const id of ids) await expect(admin.call(calls.get, { id })).toRefuse(404)
    await admin.call(jobs.undo, { id: removal.id })
    await forecourt.jobs.runDue()
    for (const { updatedAt: _, updatedBy: __, version: ___, ...same } of added)
      expect(await admin.call(calls.get, { id: same.id })).toMatchObject(same)
  })
}
