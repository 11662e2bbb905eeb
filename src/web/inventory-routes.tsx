import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { can, Func, Opr } from '#contract/permissions.ts'
import { shell } from './auth-routes.tsx'
import { type ListSearch, readChoice, readListSearch, readTexts } from './list-search.ts'

/** `vehicle`: `new` is the blank form; a number, as links had it before, leads to the vehicle's page. `panel`: another drawer. */
type VehiclesSearch = ListSearch & { vehicle?: string | undefined; panel?: 'photos' | undefined }

const vehicles = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/vehicle-data',
  staticData: { title: 'Vehicle data', needs: can(Func.vehicles, Opr.list) },
  validateSearch: (search: Record<string, unknown>): VehiclesSearch => ({
    ...readListSearch(search),
    ...readTexts(search, ['vehicle']),
    ...readChoice(search, 'panel', ['photos'] as const),
  }),
  beforeLoad: ({ search: { vehicle } }) => {
    if (vehicle === undefined || vehicle === 'new') return
    throw redirect({ to: '/inventory/vehicle-data/$id', params: { id: vehicle }, replace: true })
  },
  component: lazyRouteComponent(() => import('./inventory/vehicles/VehiclesPage.tsx'), 'VehiclesPage'),
})

/** The rows of the list as a table to write in. `fields`: the customer's own fields that it shows, by their names, with commas. */
const vehicleGrid = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/vehicle-data/edit-grid',
  staticData: { title: 'Edit vehicles', needs: can(Func.vehicles, Opr.list) },
  validateSearch: (search: Record<string, unknown>): ListSearch & { fields?: string | undefined } => ({
    ...readListSearch(search),
    ...readTexts(search, ['fields']),
  }),
  component: lazyRouteComponent(
    () => import('./inventory/vehicles/grid/VehicleGridPage.tsx'),
    'VehicleGridPage',
  ),
})

const VEHICLE_TABS = ['data', 'media', 'channels', 'timeline'] as const
type VehicleSearch = { tab?: (typeof VEHICLE_TABS)[number]; drawer?: 'edit' | undefined }

/** One vehicle. `drawer`: its form. */
const vehicle = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/vehicle-data/$id',
  staticData: { title: 'Vehicle', needs: can(Func.vehicles, Opr.read) },
  validateSearch: (search: Record<string, unknown>): VehicleSearch => ({
    ...readChoice(search, 'tab', VEHICLE_TABS),
    ...readChoice(search, 'drawer', ['edit']),
  }),
  component: lazyRouteComponent(() => import('./inventory/vehicles/page/VehiclePage.tsx'), 'VehiclePage'),
})

/** `channel`: the open drawer, a channel's number or `new`; `part`: what of it. */
type ChannelsSearch = ListSearch & { channel?: string | undefined; part?: 'runs' | undefined }

const channels = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/channels',
  staticData: { title: 'Channels', needs: can(Func.providerMappings, Opr.list) },
  validateSearch: (search: Record<string, unknown>): ChannelsSearch => ({
    ...readListSearch(search),
    ...readTexts(search, ['channel']),
    ...readChoice(search, 'part', ['runs'] as const),
  }),
  component: lazyRouteComponent(() => import('./inventory/channels/ChannelsPage.tsx'), 'ChannelsPage'),
})

const providerMappings = createRoute({
  getParentRoute: () => shell,
  path: '/administration/provider-mappings',
  staticData: { title: 'Provider mappings', needs: can(Func.providerMappings, Opr.list) },
  validateSearch: readListSearch,
  component: lazyRouteComponent(
    () => import('./inventory/feeds/mappings/ProviderMappingsPage.tsx'),
    'ProviderMappingsPage',
  ),
})

/** One mapping, or `new`. */
const providerMapping = createRoute({
  getParentRoute: () => shell,
  path: '/administration/provider-mappings/$id',
  staticData: { title: 'Provider mapping' },
  validateSearch: (search: Record<string, unknown>): { run?: string | undefined } =>
    readTexts(search, ['run']),
  component: lazyRouteComponent(() => import('./inventory/feeds/mappings/MappingPage.tsx'), 'MappingPage'),
})

/** `value`: the open drawer, a mapping's number or `new`. `panel`: another one. */
type DataMappingsSearch = ListSearch & {
  value?: string | undefined
  panel?: 'built-in' | 'apply' | undefined
}

const dataMappings = createRoute({
  getParentRoute: () => shell,
  path: '/administration/data-mappings',
  staticData: { title: 'Data mappings', needs: can(Func.dataMappings, Opr.list) },
  validateSearch: (search: Record<string, unknown>): DataMappingsSearch => ({
    ...readListSearch(search),
    ...readTexts(search, ['value']),
    ...readChoice(search, 'panel', ['built-in', 'apply']),
  }),
  component: lazyRouteComponent(() => import('./inventory/values/DataMappingsPage.tsx'), 'DataMappingsPage'),
})

const unmapped = createRoute({
  getParentRoute: () => shell,
  path: '/administration/unmapped-values',
  staticData: { title: 'Unmapped values', needs: can(Func.dataMappings, Opr.list) },
  validateSearch: (search: Record<string, unknown>): ListSearch & { value?: string | undefined } => ({
    ...readListSearch(search),
    ...readTexts(search, ['value']),
  }),
  component: lazyRouteComponent(() => import('./inventory/values/UnmappedPage.tsx'), 'UnmappedPage'),
})

/** The pages of vehicles, of feeds in and of channels out. */
export const inventoryRoutes = [
  vehicles,
  vehicleGrid,
  vehicle,
  channels,
  providerMappings,
  providerMapping,
  dataMappings,
  unmapped,
] as const
