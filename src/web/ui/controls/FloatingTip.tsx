import { Tooltip, type TooltipProps } from '@mantine/core'

/** The tooltip that `Tip` loads when there is something to explain. */
export function FloatingTip(props: TooltipProps) {
  return <Tooltip events={{ hover: true, focus: true, touch: true }} {...props} />
}
