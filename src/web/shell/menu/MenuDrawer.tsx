import { Drawer } from '@mantine/core'
import { MODAL_TRANSITION } from '#web/ui/overlay/dialogs.tsx'
import { SideMenu } from './SideMenu.tsx'

type Props = { isOpen: boolean; onClose: () => void }

/** The menu on narrow screens. */
export function MenuDrawer({ isOpen, onClose }: Props) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      title="Menu"
      size={280}
      padding={0}
      classNames={{ header: 'fc-menu-drawer-head' }}
      position="left"
      closeButtonProps={{ 'aria-label': 'Close menu' }}
      transitionProps={{ duration: MODAL_TRANSITION.duration, exitDuration: MODAL_TRANSITION.duration }}
    >
      <SideMenu onNavigate={onClose} />
    </Drawer>
  )
}
