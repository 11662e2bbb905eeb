import { emailHandlers } from '#contract/mail/handlers/handlers.ts'
import { send } from '#web/api/query.ts'
import { RecordDrawer, type RecordDrawerProps } from '#web/ui/record/RecordDrawer.tsx'
import { handlerForm, showField } from './handler-form.ts'
import { HandlerFields } from './HandlerFields.tsx'

const addHandler = send(emailHandlers.add)
const updateHandler = send(emailHandlers.update)

/** One email handler, or a blank form for a new one. */
export function HandlerDrawer(props: RecordDrawerProps) {
  return (
    <RecordDrawer
      {...props}
      noun="email handler"
      short="handler"
      about="How emails are sent"
      size={560}
      form={handlerForm}
      endpoints={emailHandlers}
      save={(input, change) =>
        change
          ? updateHandler({ emailHandler: { ...input, ...change } })
          : addHandler({ emailHandler: input })
      }
      remove={{
        endpoint: emailHandlers.remove,
        text: ({ isDefault }) =>
          isDefault
            ? "This is the default handler. Without it, the installation's mail server sends emails. This can't be undone."
            : "Its password is deleted too. This can't be undone.",
        label: 'Delete handler',
      }}
      nameOf={({ name }) => ({ name })}
      show={showField}
    >
      {(record, handler) => <HandlerFields record={record} handler={handler} />}
    </RecordDrawer>
  )
}
