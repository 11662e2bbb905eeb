import { getRouteApi, useLocation } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense } from 'react'
import { type VehicleRecord, vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { query } from '#web/api/query.ts'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { VehicleData } from './VehicleData.tsx'
import { VehicleHeader } from './VehicleHeader.tsx'
import { VehicleTimeline } from './VehicleTimeline.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import '#web/ui/record/record-page.css'
import '../vehicles.css'
import './vehicle-page.css'

const route = getRouteApi('/shell/inventory/vehicle-data/$id')

const TABS = [
  { tab: undefined, title: 'Data' },
  { tab: 'media', title: 'Media' },
  { tab: 'price', title: 'Price' },
  { tab: 'channels', title: 'Channels' },
  { tab: 'timeline', title: 'Timeline' },
] as const

/** Loaded on demand because they include the form and drag-and-drop. */
const VehicleDrawer = lazy(async () => ({ default: (await import('../VehicleDrawer.tsx')).VehicleDrawer }))
const VehicleMedia = lazy(async () => ({
  default: (await import('../photos/VehicleMedia.tsx')).VehicleMedia,
}))

type Others = {
  /** The tabs of pricing and channels. */
  Price: ComponentType<{ vehicle: VehicleRecord }>
  Channels: ComponentType<{ id: string }>
}

/** One vehicle with its data, photos, price, channels and timeline. */
export function VehiclePage(others: Others) {
  const { id } = route.useParams()
  return <OpenVehicle key={id} id={id} {...others} />
}

function OpenVehicle({ id, ...others }: { id: string } & Others) {
  const load = useLoad(query(vehicles.get, { id }))
  const { data } = load
  return (
    <div className="fc-list fc-vehicle-page">
      <VehicleHeader vehicle={data ?? null} />
      <Loaded query={load} what="this vehicle" shape="spinner">
        {(loaded) => <Tabs vehicle={loaded} {...others} />}
      </Loaded>
    </div>
  )
}

function Tabs({ vehicle, Price, Channels }: { vehicle: VehicleRecord } & Others) {
  const { tab, drawer } = route.useSearch()
  const navigate = route.useNavigate()
  const { pathname } = useLocation()
  const shown = tab === 'data' ? undefined : tab
  const close = ({ isSaved }: { isSaved: boolean }) =>
    void navigate({
      search: (before) => ({ ...before, drawer: undefined }),
      ignoreBlocker: isSaved,
      state: true,
    })
  return (
    <>
      <nav className="fc-tabs" aria-label="Sections of this vehicle">
        {TABS.map((one) => (
          <Link
            key={one.title}
            to={pathname}
            search={one.tab ? { tab: one.tab } : {}}
            state
            activeOptions={{ exact: true, includeSearch: true }}
            {...(one.tab === shown && { 'aria-current': 'page' as const })}
          >
            {one.title}
            {one.tab === 'media' && vehicle.photoCount > 0 && (
              <span className="fc-small fc-faint fc-number">
                {vehicle.photoCount}
                <span className="fc-hidden"> photos</span>
              </span>
            )}
          </Link>
        ))}
      </nav>
      {shown === undefined && <VehicleData vehicle={vehicle} />}
      {shown === 'media' && (
        <Suspense fallback={<Spinner label="Loading the photos" />}>
          <VehicleMedia key={vehicle.version} vehicle={vehicle} />
        </Suspense>
      )}
      {shown === 'price' && (
        <Suspense fallback={<Spinner label="Loading the price" />}>
          <Price vehicle={vehicle} />
        </Suspense>
      )}
      {shown === 'channels' && (
        <Suspense fallback={<Spinner label="Loading the channels" />}>
          <Channels id={vehicle.id} />
        </Suspense>
      )}
      {shown === 'timeline' && <VehicleTimeline vehicle={vehicle} />}
      {drawer === 'edit' && (
        <Suspense>
          <VehicleDrawer
            id={vehicle.id}
            onClose={() => close({ isSaved: false })}
            onSaved={() => close({ isSaved: true })}
          />
        </Suspense>
      )}
    </>
  )
}
