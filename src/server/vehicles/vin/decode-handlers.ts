import type { vins } from '#contract/vehicles/vin/vin.ts'
import { clock } from '#server/clock.ts'
import type { Handlers } from '#server/http/serve.ts'
import { decodeVin } from './decode-vin.ts'

/** VIN decoding; independent of the customer's vehicles. */
export const vinHandlers: Handlers<typeof vins> = {
  decode: async ({ actor, input }) => decodeVin(input.vin, Number(clock.today(actor.timeZone).slice(0, 4))),
}
