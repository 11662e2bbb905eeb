import {
  IconBuilding,
  IconBuildingCommunity,
  IconBuildingStore,
  IconCar,
  IconCircle,
  IconClipboardCheck,
  IconForms,
  IconHeartbeat,
  IconLayoutDashboard,
  IconLeaf,
  IconListDetails,
  IconMail,
  IconMapPin,
  IconPhoto,
  IconReport,
  IconRoute,
  IconSend,
  IconSettings,
  IconSitemap,
  IconSpeakerphone,
  IconTag,
  IconTemplate,
  IconUserSearch,
  IconUsers,
  IconWorld,
  type TablerIcon,
} from '@tabler/icons-react'
import { createElement } from 'react'

/** The icon names a menu may use; by name, so that the other five thousand stay out of the bundle. */
const icons = new Map<string, TablerIcon>([
  ['building', IconBuilding],
  ['building-community', IconBuildingCommunity],
  ['building-store', IconBuildingStore],
  ['car', IconCar],
  ['clipboard-check', IconClipboardCheck],
  ['forms', IconForms],
  ['dashboard', IconLayoutDashboard],
  ['layout-dashboard', IconLayoutDashboard],
  ['heartbeat', IconHeartbeat],
  ['leaf', IconLeaf],
  ['list-details', IconListDetails],
  ['mail', IconMail],
  ['map-pin', IconMapPin],
  ['photo', IconPhoto],
  ['report', IconReport],
  ['route', IconRoute],
  ['send', IconSend],
  ['settings', IconSettings],
  ['sitemap', IconSitemap],
  ['speakerphone', IconSpeakerphone],
  ['tag', IconTag],
  ['template', IconTemplate],
  ['user-search', IconUserSearch],
  ['users', IconUsers],
  ['world', IconWorld],
])

/** The icon of a menu entry; a plain circle for a name not known here. */
export function MenuIcon({ name, size }: { name: string | null; size: number }) {
  return createElement(icons.get(name ?? '') ?? IconCircle, { size, stroke: 1.6, 'aria-hidden': true })
}
