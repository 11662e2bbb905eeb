import type { z } from 'zod'
import { activities } from '#contract/carbon/activity/activity.ts'
import {
  activityImports,
  ImportPreview,
  type ImportRequest,
} from '#contract/carbon/activity/activity-imports.ts'
import type { ImportMapping } from '#contract/carbon/activity/import-mapping.ts'
import type { Caller, TestApp } from '#test/app.ts'
import { multipart } from '#test/harness/multipart.ts'
import type { TestOrganization } from '../test-organization.ts'
import { ledgerWorld } from './ledger-world.ts'

type Bytes = string | Uint8Array
export type ImportOptions = Partial<ImportRequest> & { file?: string; by?: Caller }
const Added = activityImports.add.output
const GAS = { activity: 'combustion/natural-gas', scope: '1', unit: 'therm' }

const CARS = { activity: 'mobile-combustion/motor-gasoline', scope: '1', unit: 'gallon' }

/** The mapping of a preview, with its layout confirmed. */
export const confirmed = ({ mapping, layout }: Pick<ImportPreview, 'mapping' | 'layout'>): ImportMapping => ({
  ...mapping,
  answers: { ...mapping.answers, layout: layout.key },
})

/** An inventory with electricity in kWh, natural gas in therms and cars at one site, and its files as a user sends them. */
export async function importWorld(
  forecourt: TestApp,
  ford: Pick<TestOrganization, 'addOrganization'>,
  admin: Caller,
) {
  const one = await ledgerWorld(forecourt, ford, admin)
  const site = await one.addFacility({ gridRegion: 'CAMX' })
  const gas = await one.addSource({ ...GAS, facilityId: site })
  const cars = await one.addSource({ ...CARS, facilityId: site })
  const power = await one.addSource({
    activity: 'electricity/grid',
    scope: '2',
    unit: 'kWh',
    facilityId: site,
  })
  const type = (id: string, name: string) =>
    forecourt.owner.query('update emission_sources set source_type = $2, name = null where id = $1', [
      id,
      name,
    ])
  await type(gas, 'natural_gas')
  await type(power, 'electricity')
  await type(cars, 'company_cars')

  async function upload(endpoint: { path: string }, bytes: Bytes, options: ImportOptions = {}) {
    const { file = 'bills.csv', by = admin, ...asked } = options
    const whole = {
      sheet: null,
      mapping: null,
      usual: { decimal: '.', order: 'mdy' },
      sourceId: power,
      ...asked,
    }
    const { payload, headers } = multipart({ inventoryId: one.inventoryId, asked: JSON.stringify(whole) }, [
      { name: file, bytes: Buffer.from(bytes) },
    ])
    const { body, statusCode } = await forecourt.app.inject({
      method: 'POST',
      url: endpoint.path,
      payload,
      headers: { ...headers, authorization: `Bearer ${by.token}` },
    })
    const { data, message }: { data: unknown; message: string } = JSON.parse(body)
    return { data, message, statusCode }
  }
  const preview = async (bytes: Bytes, options: ImportOptions = {}) =>
    ImportPreview.parse((await upload(activityImports.read, bytes, options)).data)
  const add = async (
    bytes: Bytes,
    mapping: ImportMapping,
    options: ImportOptions = {},
  ): Promise<z.infer<typeof Added>> => {
    const answer = await upload(activityImports.add, bytes, { ...options, mapping })
    if (answer.statusCode !== 400) return Added.parse(answer.data)
    // As a user who checks how it is read.
    const mapped = confirmed(await preview(bytes, { ...options, mapping }))
    return Added.parse((await upload(activityImports.add, bytes, { ...options, mapping: mapped })).data)
  }
  /** Reads a file, answers its questions, and imports it with the mapping of the preview. */
  async function bring(bytes: Bytes, answers: Record<string, string> = {}, options: ImportOptions = {}) {
    const first = await preview(bytes, options)
    const mapping = { ...first.mapping, answers: { ...first.mapping.answers, ...answers } }
    const last = Object.keys(answers).length === 0 ? first : await preview(bytes, { ...options, mapping })
    return { first, last, done: await add(bytes, confirmed(last), options) }
  }
  const records = async () =>
    (await admin.call(activities.list, { inventoryId: one.inventoryId, pageSize: 2_000 })).results
  return { ...one, gas, power, cars, site, upload, preview, add, bring, records }
}
