import { lazy } from 'react'
import { VehiclePage } from './vehicles/vehicles/page/VehiclePage.tsx'

const VehiclePricePage = lazy(async () => ({
  default: (await import('./pricing/totals/VehiclePricePage.tsx')).VehiclePricePage,
}))
const VehicleChannels = lazy(async () => ({
  default: (await import('./channels/channels/VehicleChannels.tsx')).VehicleChannels,
}))

/** The page of a vehicle, with the tabs of pricing and channels. */
export const VehicleWithTabs = () => <VehiclePage Price={VehiclePricePage} Channels={VehicleChannels} />
