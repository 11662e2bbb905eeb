import { TextInput } from '@mantine/core'
import { customers, OpenCustomer } from '#contract/customers/customers/customers.ts'
import { send } from '#web/api/query.ts'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { FormFooter } from '#web/ui/form/FormFooter.tsx'
import { RecordForm } from '#web/ui/record/RecordForm.tsx'
import { TimeZoneSelect } from '#web/ui/form/TimeZoneSelect.tsx'
import { useRecordForm } from '#web/ui/record/use-record-form.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { setCustomerInCache } from './set-customer-in-cache.ts'
import {
  BLANK_CUSTOMER,
  checkNewCustomer,
  NEW_CUSTOMER_LABELS,
  type NewCustomerValues,
  rename,
  toNewCustomer,
} from './new-customer.ts'

type Props = { onClose: () => void; onCreated: (id: string) => void }

const addCustomer = send(customers.add)

/** Creates a customer with its first organization, domain and administrator. */
export function NewCustomerDrawer({ onClose, onCreated }: Props) {
  const record = useRecordForm<NewCustomerValues, OpenCustomer>({
    record: null,
    blank: BLANK_CUSTOMER,
    toValues: () => BLANK_CUSTOMER,
    labels: NEW_CUSTOMER_LABELS,
    schema: OpenCustomer,
    endpoint: customers.add,
    check: checkNewCustomer,
    save: (values) => addCustomer(toNewCustomer(values)),
    keep: setCustomerInCache,
    onSaved: ({ id, name, administrator }) => {
      toast(`${name} added`, administrator ? `Invitation to ${administrator.email} written` : undefined)
      onCreated(id)
    },
  })
  const { field, change } = record
  const { values } = record.form
  return (
    <FormDrawer title="New customer" about="A dealer group with its own users and data" onClose={onClose}>
      <RecordForm record={record} isClosing>
        <div className="fc-form-fields">
          <TextInput
            {...field('name')}
            onChange={(event) => change(rename(values, event.currentTarget.value))}
            className="fc-wide"
            required
            maxLength={120}
            autoComplete="off"
            data-autofocus
          />
          <TextInput
            {...field('organizationName')}
            className="fc-wide"
            required
            maxLength={120}
            autoComplete="off"
            description={<bdi>A legal entity or rooftop. You can add more later.</bdi>}
          />
          <TimeZoneSelect
            {...field('timeZone')}
            value={values.timeZone}
            className="fc-wide"
            required
            allowDeselect={false}
          />
          <TextInput
            {...field('domain')}
            className="fc-wide"
            autoComplete="off"
            placeholder="cars.example.com"
            description={
              <bdi>
                Optional. In DNS, add a CNAME record that points to <bdi>{location.hostname}</bdi>.
              </bdi>
            }
          />
          <div className="fc-wide fc-form-section">
            <h2>Administrator</h2>
            <p className="fc-small fc-faint">
              <bdi>Gets an email with a link to set a password, then sets up everything else.</bdi>
            </p>
          </div>
          <TextInput {...field('firstName')} required maxLength={60} autoComplete="off" />
          <TextInput {...field('lastName')} required maxLength={60} autoComplete="off" />
          <TextInput {...field('email')} type="email" className="fc-wide" required autoComplete="off" />
          <TextInput
            {...field('userName')}
            className="fc-wide"
            maxLength={60}
            autoComplete="off"
            placeholder={values.email}
            description={<bdi>Optional. Defaults to the email address.</bdi>}
          />
        </div>
        <FormFooter record={record} for={customers.add} save="Add customer" onCancel={onClose} />
      </RecordForm>
    </FormDrawer>
  )
}
