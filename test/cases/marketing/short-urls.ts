import type { contract } from '#contract/index.ts'
import type { Cases } from '#test/cases/cases.ts'
import { foreignTo } from '#test/cases/foreign.ts'
import { recordCases } from '#test/cases/record-cases.ts'
import { fresh, type TestOrganization } from '#test/factories/test-organization.ts'

const toWeb = () => ({
  name: fresh('Link'),
  target: 'url' as const,
  url: 'https://www.dealer.example/offers',
})
/** Row level security decides which vehicles and forms someone may link to. */
const toVehicle = async ({ addVehicle }: TestOrganization) => ({
  name: fresh('Link'),
  target: 'vehicle' as const,
  vehicleId: await addVehicle(),
})

export const shortUrlCases: Cases<typeof contract>['shortUrls'] = {
  ...recordCases(({ addShortUrl }) => addShortUrl(), toWeb),
  add: { input: toVehicle, foreign: foreignTo(400) },
  clicks: {
    input: async ({ addShortUrl }) => ({ id: await addShortUrl() }),
    foreign: foreignTo(404),
  },
  addMany: { input: () => ({ lines: 'https://www.dealer.example/hours' }), foreign: 'takes no ids' },
  sheet: {
    input: async ({ addShortUrl }) => ({ selection: { ids: [await addShortUrl()] } }),
    foreign: foreignTo(404),
  },
  unknownKeys: { input: () => ({}), foreign: 'takes no ids' },
}
