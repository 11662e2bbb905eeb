import { Tooltip, type TooltipProps } from '@mantine/core'

/** What `Tip` shows once there is something to explain. */
export function FloatingTip(props: TooltipProps) {
  return <Tooltip events={{ hover: true, focus: true, touch: true }} {...props} />
}
