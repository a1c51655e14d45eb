-- What the migrations add up to, read from the catalogue of a migrated database.
-- Generated: `npm run schema` renews it, and a test fails when it is stale.

CREATE SEQUENCE workspace_reference_numbers AS bigint START 1 INCREMENT 1 OWNED BY workspaces.workspace_reference_id;

CREATE TABLE audit_anchors (
  anchor_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  sealed_at timestamptz NOT NULL,
  upto bigint NOT NULL,
  chains bigint NOT NULL,
  hash bytea NOT NULL,
  CONSTRAINT audit_anchors_pkey PRIMARY KEY (anchor_id)
);

CREATE TABLE audit_checks (
  check_id uuid NOT NULL,
  asked_by text NOT NULL,
  asked_at timestamptz NOT NULL,
  ended_at timestamptz,
  report jsonb,
  CONSTRAINT audit_checks_pkey PRIMARY KEY (check_id)
);
CREATE INDEX audit_checks_newest ON audit_checks USING btree (asked_at DESC);

CREATE TABLE audit_entries (
  entry_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  chain uuid NOT NULL,
  seq bigint NOT NULL,
  entry jsonb NOT NULL,
  hash bytea NOT NULL,
  payload jsonb,
  payload_hash bytea,
  CONSTRAINT audit_entries_pkey PRIMARY KEY (entry_id),
  CONSTRAINT audit_entries_chain_seq_key UNIQUE (chain, seq)
);
CREATE INDEX audit_entries_at ON audit_entries USING brin (((entry ->> 'at'::text))) WITH (autosummarize='on');

CREATE TABLE blobs (
  sha256 text NOT NULL,
  size bigint NOT NULL,
  touched_at timestamptz DEFAULT now() NOT NULL,
  CONSTRAINT blobs_pkey PRIMARY KEY (sha256),
  CONSTRAINT blobs_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text))
);
CREATE INDEX blobs_touched ON blobs USING btree (touched_at);

CREATE TABLE client_secrets (
  secret_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  client_id text NOT NULL,
  hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT client_secrets_pkey PRIMARY KEY (secret_id),
  CONSTRAINT client_secrets_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(client_id) ON DELETE CASCADE
);
CREATE INDEX client_secrets_client ON client_secrets USING btree (client_id);

CREATE TABLE client_uses (
  client_id text NOT NULL,
  used_at timestamptz NOT NULL,
  CONSTRAINT client_uses_pkey PRIMARY KEY (client_id),
  CONSTRAINT client_uses_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(client_id)
);

CREATE TABLE clients (
  client_id text NOT NULL,
  subscriber_id uuid NOT NULL,
  scopes text[] NOT NULL,
  enabled boolean DEFAULT true NOT NULL,
  created_at timestamptz NOT NULL,
  log_until timestamptz,
  CONSTRAINT clients_pkey PRIMARY KEY (client_id),
  CONSTRAINT clients_subscriber_id_fkey FOREIGN KEY (subscriber_id) REFERENCES subscribers(subscriber_id)
);
CREATE INDEX clients_subscriber ON clients USING btree (subscriber_id);

CREATE TABLE confirmations (
  confirmation_id uuid NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  workspace_id uuid NOT NULL,
  rule_id text NOT NULL,
  field text NOT NULL,
  reason text NOT NULL,
  confirmed_by text NOT NULL,
  confirmed_at timestamptz NOT NULL,
  basis text NOT NULL,
  CONSTRAINT confirmations_pkey PRIMARY KEY (confirmation_id),
  CONSTRAINT confirmations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);
CREATE INDEX confirmations_of_workspace ON confirmations USING btree (workspace_id, seq);

CREATE TABLE due (
  due_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  due_at timestamptz NOT NULL,
  job text NOT NULL,
  payload jsonb NOT NULL,
  key text,
  CONSTRAINT due_pkey PRIMARY KEY (due_id),
  CONSTRAINT due_key_key UNIQUE (key)
);
CREATE INDEX due_of_workspace ON due USING btree ((((payload -> 'payload'::text) ->> 'workspaceId'::text)), due_at) WHERE (((payload -> 'payload'::text) ->> 'workspaceId'::text) IS NOT NULL);
CREATE INDEX due_order ON due USING btree (due_at, due_id);

CREATE TABLE erased_matters (
  workspace_id uuid NOT NULL,
  lender_id uuid NOT NULL,
  law_firm_id uuid NOT NULL,
  status text NOT NULL,
  ended_at timestamptz NOT NULL,
  erased_at timestamptz NOT NULL,
  rule text NOT NULL,
  audit_seq bigint NOT NULL,
  audit_hash bytea NOT NULL,
  CONSTRAINT erased_matters_pkey PRIMARY KEY (workspace_id)
);

CREATE TABLE erasure_holds (
  workspace_id uuid NOT NULL,
  reason text NOT NULL,
  held_by text NOT NULL,
  held_at timestamptz NOT NULL,
  CONSTRAINT erasure_holds_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT erasure_holds_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);

CREATE TABLE event_feed (
  "position" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  subscriber_id uuid NOT NULL,
  event_seq bigint NOT NULL,
  listener text,
  CONSTRAINT event_feed_pkey PRIMARY KEY (subscriber_id, "position"),
  CONSTRAINT event_feed_event_seq_fkey FOREIGN KEY (event_seq) REFERENCES events(seq)
);
CREATE INDEX event_feed_of_event ON event_feed USING btree (event_seq);

CREATE TABLE event_outbox (
  seq bigint NOT NULL,
  CONSTRAINT event_outbox_pkey PRIMARY KEY (seq)
);

CREATE TABLE event_repeats (
  repeat_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  subscriber_id uuid NOT NULL,
  event_seq bigint NOT NULL,
  listener text NOT NULL,
  CONSTRAINT event_repeats_pkey PRIMARY KEY (repeat_id),
  CONSTRAINT event_repeats_event_seq_fkey FOREIGN KEY (event_seq) REFERENCES events(seq)
);

CREATE TABLE events (
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  event_id uuid NOT NULL,
  type text NOT NULL,
  workspace_id uuid,
  told uuid[] NOT NULL,
  data jsonb NOT NULL,
  message text,
  actor text NOT NULL,
  correlation_id text NOT NULL,
  at timestamptz NOT NULL,
  unpublished boolean DEFAULT false NOT NULL,
  traceparent text,
  CONSTRAINT events_pkey PRIMARY KEY (seq),
  CONSTRAINT events_event_id_key UNIQUE (event_id)
);
CREATE INDEX events_unpublished ON events USING btree (seq) WHERE unpublished;
CREATE INDEX events_workspace ON events USING btree (workspace_id, seq) WHERE (workspace_id IS NOT NULL);
CREATE TRIGGER note_event AFTER INSERT ON events FOR EACH ROW WHEN (((new.workspace_id IS NOT NULL) AND (new.type <> ALL (ARRAY['WORKSPACE_CREATED'::text, 'WORKSPACE_PARTICIPANT_ADDED'::text])))) EXECUTE FUNCTION note_event();

CREATE TABLE external_law_firms (
  firm_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  name text NOT NULL,
  address jsonb NOT NULL,
  CONSTRAINT external_law_firms_pkey PRIMARY KEY (firm_id),
  CONSTRAINT external_law_firms_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);
CREATE INDEX external_law_firms_of_workspace ON external_law_firms USING btree (workspace_id);

CREATE TABLE feed_listeners (
  subscriber_id uuid NOT NULL,
  name text NOT NULL,
  last_seen_at timestamptz DEFAULT now() NOT NULL,
  CONSTRAINT feed_listeners_pkey PRIMARY KEY (subscriber_id, name)
);

CREATE TABLE figure_days (
  owner_id uuid NOT NULL,
  day date NOT NULL,
  statuses jsonb DEFAULT '{}'::jsonb NOT NULL,
  deliveries jsonb,
  CONSTRAINT figure_days_pkey PRIMARY KEY (owner_id, day)
);
CREATE INDEX figure_days_by_day ON figure_days USING btree (day);

CREATE TABLE figures (
  owner_id uuid NOT NULL,
  computed_at timestamptz NOT NULL,
  document jsonb NOT NULL,
  CONSTRAINT figures_pkey PRIMARY KEY (owner_id)
);

CREATE TABLE files (
  file_id uuid NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  workspace_id uuid NOT NULL,
  application_id uuid,
  subscriber_id uuid NOT NULL,
  file_name text NOT NULL,
  document_type text NOT NULL,
  document_category text NOT NULL,
  certification_type text NOT NULL,
  sha256 text NOT NULL,
  size bigint NOT NULL,
  status text NOT NULL,
  failure_reason text,
  superseded_by uuid,
  correlation_id text NOT NULL,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  last_modified_at timestamptz NOT NULL,
  last_modified_by text NOT NULL,
  precedes_digital boolean DEFAULT false NOT NULL,
  registry_document_id text,
  registry_document jsonb,
  CONSTRAINT files_pkey PRIMARY KEY (file_id),
  CONSTRAINT files_certification_type_check CHECK ((certification_type = ANY (ARRAY['CERTIFIED'::text, 'ORIGINAL'::text, 'SCANNED'::text]))),
  CONSTRAINT files_check CHECK (((failure_reason IS NOT NULL) = (status = 'FAILED'::text))),
  CONSTRAINT files_document_category_check CHECK ((document_category = ANY (ARRAY['APPLICATION_DOCUMENT'::text, 'SUPPORTING_DOCUMENT'::text, 'WORKSPACE_SUPPORTING_DOCUMENT'::text]))),
  CONSTRAINT files_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'SUCCESS'::text, 'FAILED'::text, 'WITHDRAWN'::text]))),
  CONSTRAINT files_application_id_fkey FOREIGN KEY (application_id) REFERENCES lodgement_applications(application_id),
  CONSTRAINT files_sha256_fkey FOREIGN KEY (sha256) REFERENCES blobs(sha256),
  CONSTRAINT files_subscriber_id_fkey FOREIGN KEY (subscriber_id) REFERENCES subscribers(subscriber_id),
  CONSTRAINT files_superseded_by_fkey FOREIGN KEY (superseded_by) REFERENCES files(file_id),
  CONSTRAINT files_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);
CREATE INDEX files_blob ON files USING btree (sha256);
CREATE INDEX files_of_application ON files USING btree (application_id, seq) WHERE (application_id IS NOT NULL);
CREATE UNIQUE INDEX files_of_registry ON files USING btree (workspace_id, registry_document_id) WHERE (registry_document_id IS NOT NULL);
CREATE INDEX files_of_workspace ON files USING btree (workspace_id, seq);
CREATE INDEX files_superseding ON files USING btree (superseded_by) WHERE (superseded_by IS NOT NULL);

CREATE TABLE hmlr_accounts (
  subscriber_id uuid NOT NULL,
  username text NOT NULL,
  secrets bytea NOT NULL,
  certificate_ends_at timestamptz NOT NULL,
  telephone text NOT NULL,
  warning_understood_by text NOT NULL,
  warning_understood_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  CONSTRAINT hmlr_accounts_pkey PRIMARY KEY (subscriber_id),
  CONSTRAINT hmlr_accounts_subscriber_id_fkey FOREIGN KEY (subscriber_id) REFERENCES subscribers(subscriber_id)
);

CREATE TABLE hmlr_extracts (
  message_id text NOT NULL,
  subscriber_id uuid NOT NULL,
  title_number text NOT NULL,
  asked_at timestamptz NOT NULL,
  answer text,
  price_pence bigint,
  CONSTRAINT hmlr_extracts_pkey PRIMARY KEY (message_id)
);

CREATE TABLE hmlr_lenders (
  subscriber_id uuid NOT NULL,
  kind text NOT NULL,
  company_number text,
  CONSTRAINT hmlr_lenders_pkey PRIMARY KEY (subscriber_id),
  CONSTRAINT hmlr_lenders_kind_check CHECK ((kind = ANY (ARRAY['UK_COMPANY'::text, 'OTHER_ORGANISATION'::text]))),
  CONSTRAINT hmlr_lenders_subscriber_id_fkey FOREIGN KEY (subscriber_id) REFERENCES subscribers(subscriber_id)
);

CREATE TABLE hmlr_notifications (
  application_request_id text NOT NULL,
  notification_type text NOT NULL,
  event_at timestamptz NOT NULL,
  notification_id text NOT NULL,
  payload jsonb NOT NULL,
  received_at timestamptz NOT NULL,
  CONSTRAINT hmlr_notifications_pkey PRIMARY KEY (application_request_id, notification_type, event_at)
);

CREATE TABLE hmlr_replies (
  message_id text NOT NULL,
  registry_id text NOT NULL,
  part text NOT NULL,
  begun_at timestamptz,
  ended_at timestamptz,
  CONSTRAINT hmlr_replies_pkey PRIMARY KEY (message_id, registry_id, part)
);

CREATE TABLE hmlr_submissions (
  message_id text NOT NULL,
  subscriber_id uuid NOT NULL,
  title_number text NOT NULL,
  customer_reference text NOT NULL,
  completed_on date NOT NULL,
  body jsonb NOT NULL,
  attempt integer DEFAULT 1 NOT NULL,
  application_request_id text,
  refused jsonb,
  refused_at timestamptz,
  CONSTRAINT hmlr_submissions_pkey PRIMARY KEY (message_id)
);

CREATE TABLE hmlr_uploads (
  subscriber_id uuid NOT NULL,
  sha256 text NOT NULL,
  document_type text NOT NULL,
  document_id text NOT NULL,
  uploaded_at timestamptz NOT NULL,
  CONSTRAINT hmlr_uploads_pkey PRIMARY KEY (subscriber_id, sha256, document_type)
);

CREATE TABLE idempotency_keys (
  client_id text NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  status integer NOT NULL,
  headers jsonb NOT NULL,
  body bytea NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (client_id, key)
);
CREATE INDEX idempotency_keys_created ON idempotency_keys USING btree (created_at);

CREATE TABLE line_items (
  line_item_id uuid NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  schedule_id uuid NOT NULL,
  type text NOT NULL,
  category text NOT NULL,
  amount_pence bigint NOT NULL,
  reference text NOT NULL,
  bank_account jsonb,
  payment jsonb,
  changed_by_users text[],
  CONSTRAINT line_items_pkey PRIMARY KEY (line_item_id),
  CONSTRAINT line_items_amount_pence_check CHECK ((amount_pence > 0)),
  CONSTRAINT line_items_check CHECK (((bank_account IS NOT NULL) = (type = 'DESTINATION'::text))),
  CONSTRAINT line_items_type_check CHECK ((type = ANY (ARRAY['SOURCE'::text, 'DESTINATION'::text]))),
  CONSTRAINT line_items_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES settlement_schedules(schedule_id)
);
CREATE INDEX line_items_of_schedule ON line_items USING btree (schedule_id, seq);

CREATE TABLE lodgement_applications (
  application_id uuid NOT NULL,
  lodgement_case_id uuid NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  application_type text NOT NULL,
  status text NOT NULL,
  proprietor_id uuid,
  transaction_value_pence bigint,
  mortgage_deed_reference text,
  mortgage_deed_reference_type text,
  is_effective boolean,
  submitted_at timestamptz,
  submitted_by text,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  last_modified_at timestamptz NOT NULL,
  last_modified_by text NOT NULL,
  title_guarantee text,
  consideration_type text,
  consideration_description text,
  trust_declaration text,
  trust_details text,
  transaction_value_band text,
  outstanding_charge_pence bigint,
  CONSTRAINT lodgement_applications_pkey PRIMARY KEY (application_id),
  CONSTRAINT lodgement_applications_lodgement_case_id_fkey FOREIGN KEY (lodgement_case_id) REFERENCES lodgement_cases(lodgement_case_id)
);
CREATE INDEX lodgement_applications_of_case ON lodgement_applications USING btree (lodgement_case_id, seq);

CREATE TABLE lodgement_approvals (
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  lodgement_case_id uuid NOT NULL,
  action text NOT NULL,
  approved_by text NOT NULL,
  at timestamptz NOT NULL,
  CONSTRAINT lodgement_approvals_pkey PRIMARY KEY (seq),
  CONSTRAINT lodgement_approvals_action_check CHECK ((action = ANY (ARRAY['APPROVE'::text, 'UNAPPROVE'::text]))),
  CONSTRAINT lodgement_approvals_lodgement_case_id_fkey FOREIGN KEY (lodgement_case_id) REFERENCES lodgement_cases(lodgement_case_id)
);
CREATE INDEX lodgement_approvals_of_case ON lodgement_approvals USING btree (lodgement_case_id, seq);

CREATE TABLE lodgement_cases (
  lodgement_case_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  status text NOT NULL,
  registry_reference text,
  priority_at timestamptz,
  early_completion boolean DEFAULT false NOT NULL,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  last_modified_at timestamptz NOT NULL,
  last_modified_by text NOT NULL,
  ready boolean DEFAULT false NOT NULL,
  changed_by_user text,
  approved_by text,
  approved_at timestamptz,
  lodged_at timestamptz,
  registered_at timestamptz,
  discharge_registered_at timestamptz,
  changed_by_users text[] DEFAULT '{}'::text[] NOT NULL,
  rejection jsonb,
  disclosable_overriding_interests boolean,
  registry_wait jsonb,
  CONSTRAINT lodgement_cases_pkey PRIMARY KEY (lodgement_case_id),
  CONSTRAINT lodgement_cases_workspace_id_key UNIQUE (workspace_id),
  CONSTRAINT lodgement_cases_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);
CREATE INDEX lodgement_cases_by_registry_reference ON lodgement_cases USING btree (registry_reference) WHERE (registry_reference IS NOT NULL);
CREATE INDEX lodgement_cases_waiting ON lodgement_cases USING btree (((registry_wait ->> 'reason'::text))) WHERE (registry_wait IS NOT NULL);
CREATE TRIGGER copy_case_status AFTER UPDATE OF status ON lodgement_cases FOR EACH ROW EXECUTE FUNCTION copy_case_status();
CREATE TRIGGER copy_first_case_status AFTER INSERT ON lodgement_cases FOR EACH ROW WHEN ((new.status <> 'CREATED'::text)) EXECUTE FUNCTION copy_case_status();

CREATE TABLE nodes (
  node_id uuid NOT NULL,
  name text NOT NULL,
  version text NOT NULL,
  roles text[] NOT NULL,
  ready boolean NOT NULL,
  checks jsonb NOT NULL,
  started_at timestamptz DEFAULT now() NOT NULL,
  last_seen_at timestamptz DEFAULT now() NOT NULL,
  CONSTRAINT nodes_pkey PRIMARY KEY (node_id)
);

CREATE TABLE notification_registrations (
  registration_id uuid NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  subscriber_id uuid NOT NULL,
  webhook_uri text NOT NULL,
  event_types text[] NOT NULL,
  secret bytea NOT NULL,
  secret_expires_at timestamptz NOT NULL,
  previous_secret bytea,
  previous_secret_until timestamptz,
  created_at timestamptz NOT NULL,
  status text DEFAULT 'VERIFIED'::text NOT NULL,
  events_after bigint DEFAULT 0 NOT NULL,
  CONSTRAINT notification_registrations_pkey PRIMARY KEY (registration_id),
  CONSTRAINT notification_registrations_status_check CHECK ((status = ANY (ARRAY['UNVERIFIED'::text, 'VERIFIED'::text]))),
  CONSTRAINT notification_registrations_subscriber_id_fkey FOREIGN KEY (subscriber_id) REFERENCES subscribers(subscriber_id)
);
CREATE INDEX notification_registrations_of_subscriber ON notification_registrations USING btree (subscriber_id, seq DESC);

CREATE TABLE notifications (
  notification_id uuid NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  registration_id uuid NOT NULL,
  subscriber_id uuid NOT NULL,
  event_id uuid NOT NULL,
  lane uuid NOT NULL,
  type text NOT NULL,
  status text NOT NULL,
  tries integer DEFAULT 0 NOT NULL,
  next_attempt_at timestamptz,
  leased_until timestamptz,
  attempts jsonb DEFAULT '[]'::jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  data jsonb,
  CONSTRAINT notifications_pkey PRIMARY KEY (notification_id),
  CONSTRAINT notifications_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'DELIVERED'::text, 'DEAD'::text]))),
  CONSTRAINT notifications_registration_id_fkey FOREIGN KEY (registration_id) REFERENCES notification_registrations(registration_id) ON DELETE CASCADE
);
CREATE INDEX notifications_ended ON notifications USING btree (created_at) WHERE (status <> 'PENDING'::text);
CREATE INDEX notifications_in_lane ON notifications USING btree (registration_id, lane, seq) WHERE (status = 'PENDING'::text);
CREATE INDEX notifications_of_registration_by_seq ON notifications USING btree (registration_id, seq DESC);
CREATE INDEX notifications_of_subscriber ON notifications USING btree (subscriber_id, seq DESC);
CREATE INDEX notifications_of_workspace ON notifications USING btree (subscriber_id, lane, seq DESC);
CREATE INDEX notifications_ready ON notifications USING btree (registration_id, next_attempt_at, seq) WHERE (status = 'PENDING'::text);
CREATE INDEX notifications_undelivered ON notifications USING btree (subscriber_id, seq DESC) WHERE (status <> 'DELIVERED'::text);

CREATE TABLE parties (
  party_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  "position" integer NOT NULL,
  role text NOT NULL,
  name jsonb NOT NULL,
  proprietor_id uuid,
  search_name text,
  lender_id uuid,
  law_firm_id uuid,
  address_for_service jsonb,
  CONSTRAINT parties_pkey PRIMARY KEY (party_id),
  CONSTRAINT parties_workspace_id_position_key UNIQUE (workspace_id, "position"),
  CONSTRAINT parties_role_check CHECK ((role = ANY (ARRAY['BORROWER'::text, 'INCOMING_PROPRIETOR'::text, 'OUTGOING_PROPRIETOR'::text]))),
  CONSTRAINT parties_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);
CREATE INDEX parties_of_law_firm_by_name ON parties USING btree (law_firm_id, search_name, workspace_id) WHERE (role <> 'OUTGOING_PROPRIETOR'::text);
CREATE INDEX parties_of_lender_by_name ON parties USING btree (lender_id, search_name, workspace_id) WHERE (role <> 'OUTGOING_PROPRIETOR'::text);
CREATE INDEX parties_unnamed ON parties USING btree (party_id) WHERE (search_name IS NULL);
CREATE TRIGGER copy_borrowers AFTER DELETE OR UPDATE OF name, role ON parties FOR EACH ROW EXECUTE FUNCTION copy_borrowers();
CREATE TRIGGER copy_borrowers_added AFTER INSERT ON parties FOR EACH ROW WHEN ((new.role <> 'BORROWER'::text)) EXECUTE FUNCTION copy_borrowers();
CREATE TRIGGER give_party_sides BEFORE INSERT ON parties FOR EACH ROW WHEN ((new.lender_id IS NULL)) EXECUTE FUNCTION give_party_sides();

CREATE TABLE people (
  person_id uuid NOT NULL,
  subscriber_id uuid,
  name text NOT NULL,
  email text NOT NULL,
  roles text[] NOT NULL,
  enabled boolean DEFAULT true NOT NULL,
  issuer text,
  subject text,
  audit_seq bigint DEFAULT 0 NOT NULL,
  audit_hash bytea DEFAULT '\x'::bytea NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT people_pkey PRIMARY KEY (person_id),
  CONSTRAINT people_check CHECK ((((subscriber_id IS NULL) = ('operator'::text = ANY (roles))) AND ((issuer IS NULL) = (subject IS NULL)))),
  CONSTRAINT people_roles_check CHECK ((cardinality(roles) > 0)),
  CONSTRAINT people_subscriber_id_fkey FOREIGN KEY (subscriber_id) REFERENCES subscribers(subscriber_id)
);
CREATE UNIQUE INDEX people_email ON people USING btree (email) WHERE enabled;
CREATE UNIQUE INDEX people_subject ON people USING btree (issuer, subject) WHERE enabled;
CREATE INDEX people_subscriber ON people USING btree (subscriber_id);

CREATE TABLE person_links (
  token_hash bytea NOT NULL,
  person_id uuid NOT NULL,
  kind text NOT NULL,
  ends_at timestamptz NOT NULL,
  CONSTRAINT person_links_pkey PRIMARY KEY (token_hash),
  CONSTRAINT person_links_kind_check CHECK ((kind = ANY (ARRAY['INVITATION'::text, 'LINK'::text]))),
  CONSTRAINT person_links_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(person_id)
);
CREATE INDEX person_links_person ON person_links USING btree (person_id);

CREATE TABLE proprietors (
  proprietor_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  "position" integer NOT NULL,
  name jsonb NOT NULL,
  registered_name jsonb NOT NULL,
  aliases jsonb NOT NULL,
  outgoing boolean DEFAULT false NOT NULL,
  CONSTRAINT proprietors_pkey PRIMARY KEY (proprietor_id),
  CONSTRAINT proprietors_workspace_id_position_key UNIQUE (workspace_id, "position"),
  CONSTRAINT proprietors_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);

CREATE UNLOGGED TABLE rate_limits (
  client_id text NOT NULL,
  ends_at timestamptz NOT NULL,
  taken integer NOT NULL,
  CONSTRAINT rate_limits_pkey PRIMARY KEY (client_id)
);

CREATE TABLE registry_notices (
  submission_id uuid NOT NULL,
  notice_id text NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  kind text NOT NULL,
  at timestamptz NOT NULL,
  CONSTRAINT registry_notices_pkey PRIMARY KEY (submission_id, notice_id),
  CONSTRAINT registry_notices_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES submissions(submission_id)
);

CREATE TABLE reports (
  subscriber_id uuid NOT NULL,
  report_name text NOT NULL,
  report_date date NOT NULL,
  sha256 text NOT NULL,
  size bigint NOT NULL,
  row_count bigint NOT NULL,
  generated_at timestamptz NOT NULL,
  CONSTRAINT reports_pkey PRIMARY KEY (subscriber_id, report_name, report_date),
  CONSTRAINT reports_sha256_fkey FOREIGN KEY (sha256) REFERENCES blobs(sha256),
  CONSTRAINT reports_subscriber_id_fkey FOREIGN KEY (subscriber_id) REFERENCES subscribers(subscriber_id)
);
CREATE INDEX reports_blob ON reports USING btree (sha256);

CREATE TABLE representations (
  representation_id uuid NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  workspace_id uuid NOT NULL,
  party_id uuid NOT NULL,
  represented_by text NOT NULL,
  subscriber_id uuid,
  firm_id uuid,
  reference_number text,
  verification_of_identity text,
  status text NOT NULL,
  failure_reason text,
  correlation_id text NOT NULL,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  last_modified_at timestamptz NOT NULL,
  last_modified_by text NOT NULL,
  CONSTRAINT representations_pkey PRIMARY KEY (representation_id),
  CONSTRAINT representations_check CHECK (((subscriber_id IS NOT NULL) = (represented_by = 'PLATFORM_SUBSCRIBER_LAW_FIRM'::text))),
  CONSTRAINT representations_check1 CHECK (((firm_id IS NOT NULL) = (represented_by = 'EXTERNAL_LAW_FIRM'::text))),
  CONSTRAINT representations_check2 CHECK (((failure_reason IS NOT NULL) = (status = 'FAILED'::text))),
  CONSTRAINT representations_represented_by_check CHECK ((represented_by = ANY (ARRAY['PLATFORM_SUBSCRIBER_LAW_FIRM'::text, 'EXTERNAL_LAW_FIRM'::text, 'NOT_REPRESENTED'::text]))),
  CONSTRAINT representations_status_check CHECK ((status = ANY (ARRAY['QUEUED'::text, 'ACTIVE'::text, 'FAILED'::text, 'SUPERSEDED'::text]))),
  CONSTRAINT representations_firm_id_fkey FOREIGN KEY (firm_id) REFERENCES external_law_firms(firm_id),
  CONSTRAINT representations_subscriber_id_fkey FOREIGN KEY (subscriber_id) REFERENCES subscribers(subscriber_id),
  CONSTRAINT representations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);
CREATE UNIQUE INDEX representations_active ON representations USING btree (party_id) WHERE (status = 'ACTIVE'::text);
CREATE INDEX representations_of_firm ON representations USING btree (firm_id) WHERE (firm_id IS NOT NULL);
CREATE INDEX representations_of_workspace ON representations USING btree (workspace_id, seq);
CREATE INDEX representations_queued ON representations USING btree (workspace_id, seq) WHERE (status = 'QUEUED'::text);

CREATE TABLE requests (
  subscriber_id uuid NOT NULL,
  request_id uuid NOT NULL,
  at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  method text NOT NULL,
  route text NOT NULL,
  operation text NOT NULL,
  status smallint NOT NULL,
  duration_ms integer NOT NULL,
  client_id text NOT NULL,
  person text,
  correlation_id text,
  workspace_id uuid,
  errors jsonb DEFAULT '[]'::jsonb NOT NULL,
  detail jsonb,
  fault text,
  CONSTRAINT requests_pkey PRIMARY KEY (subscriber_id, request_id)
);
CREATE INDEX requests_by_correlation_id ON requests USING btree (subscriber_id, correlation_id) WHERE (correlation_id IS NOT NULL);
CREATE INDEX requests_by_expiry ON requests USING btree (expires_at);
CREATE INDEX requests_refused ON requests USING btree (subscriber_id, request_id) WHERE (status >= 400);

CREATE TABLE requisitions (
  requisition_id uuid NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  lodgement_case_id uuid NOT NULL,
  submission_id uuid NOT NULL,
  registry_id text NOT NULL,
  points jsonb NOT NULL,
  received_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  status text NOT NULL,
  answer text,
  answer_file_ids uuid[],
  answered_at timestamptz,
  answered_by text,
  closed_at timestamptz,
  closed_by text,
  closed_reason text,
  CONSTRAINT requisitions_pkey PRIMARY KEY (requisition_id),
  CONSTRAINT requisitions_check CHECK (((answered_at IS NOT NULL) = (status = ANY (ARRAY['ANSWERED'::text, 'ACCEPTED'::text])))),
  CONSTRAINT requisitions_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'ANSWERED'::text, 'ACCEPTED'::text, 'LAPSED'::text, 'NO_ANSWER_NEEDED'::text]))),
  CONSTRAINT requisitions_lodgement_case_id_fkey FOREIGN KEY (lodgement_case_id) REFERENCES lodgement_cases(lodgement_case_id),
  CONSTRAINT requisitions_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES submissions(submission_id)
);
CREATE INDEX requisitions_of_case ON requisitions USING btree (lodgement_case_id, seq);
CREATE INDEX requisitions_of_submission ON requisitions USING btree (submission_id);
CREATE UNIQUE INDEX requisitions_open ON requisitions USING btree (lodgement_case_id) WHERE (status = 'OPEN'::text);

CREATE TABLE sandbox_faults (
  client_id text NOT NULL,
  subscriber_id uuid NOT NULL,
  seed integer NOT NULL,
  faults jsonb NOT NULL,
  tokens text[] DEFAULT '{}'::text[] NOT NULL,
  ends_at timestamptz NOT NULL,
  CONSTRAINT sandbox_faults_pkey PRIMARY KEY (client_id)
);

CREATE TABLE scenario_runs (
  run_id uuid NOT NULL,
  run jsonb NOT NULL,
  CONSTRAINT scenario_runs_pkey PRIMARY KEY (run_id)
);

CREATE TABLE schedule_approvals (
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  schedule_id uuid NOT NULL,
  action text NOT NULL,
  approved_by text NOT NULL,
  at timestamptz NOT NULL,
  CONSTRAINT schedule_approvals_pkey PRIMARY KEY (seq),
  CONSTRAINT schedule_approvals_action_check CHECK ((action = ANY (ARRAY['APPROVE'::text, 'UNAPPROVE'::text]))),
  CONSTRAINT schedule_approvals_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES settlement_schedules(schedule_id)
);
CREATE INDEX schedule_approvals_of_schedule ON schedule_approvals USING btree (schedule_id, seq);

CREATE TABLE schema_migrations (
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamptz DEFAULT now() NOT NULL,
  compatible_from text,
  CONSTRAINT schema_migrations_pkey PRIMARY KEY (name)
);

CREATE TABLE service_state (
  only_row boolean DEFAULT true NOT NULL,
  maintenance boolean DEFAULT false NOT NULL,
  clock_offset_ms bigint DEFAULT 0 NOT NULL,
  seeded boolean DEFAULT false NOT NULL,
  pepper_canary bytea,
  registry text,
  maintenance_by text,
  maintenance_since timestamptz,
  erasing_paused boolean DEFAULT false NOT NULL,
  identity_erased_upto timestamptz DEFAULT '-infinity'::timestamptz NOT NULL,
  CONSTRAINT service_state_pkey PRIMARY KEY (only_row),
  CONSTRAINT service_state_only_row_check CHECK (only_row)
);

CREATE TABLE sessions (
  token_hash bytea NOT NULL,
  session_id uuid NOT NULL,
  person_id uuid NOT NULL,
  way text NOT NULL,
  authenticated_at timestamptz,
  browser text NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  last_seen_at timestamptz DEFAULT now() NOT NULL,
  ends_at timestamptz NOT NULL,
  CONSTRAINT sessions_pkey PRIMARY KEY (token_hash),
  CONSTRAINT sessions_session_id_key UNIQUE (session_id),
  CONSTRAINT sessions_way_check CHECK ((way = ANY (ARRAY['PROVIDER'::text, 'LINK'::text, 'SANDBOX'::text]))),
  CONSTRAINT sessions_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(person_id)
);
CREATE INDEX sessions_person ON sessions USING btree (person_id);

CREATE TABLE settlement_schedules (
  schedule_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  status text NOT NULL,
  changed_by_user text,
  authorised_at timestamptz,
  authorised_by text,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  last_modified_at timestamptz NOT NULL,
  last_modified_by text NOT NULL,
  changed_by_users text[] DEFAULT '{}'::text[] NOT NULL,
  failure jsonb,
  CONSTRAINT settlement_schedules_pkey PRIMARY KEY (schedule_id),
  CONSTRAINT settlement_schedules_workspace_id_key UNIQUE (workspace_id),
  CONSTRAINT settlement_schedules_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'PREPARED'::text, 'AUTHORISED'::text, 'PAYING'::text, 'SETTLED'::text, 'CANCELLED'::text]))),
  CONSTRAINT settlement_schedules_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);

CREATE TABLE settlements (
  settlement_id uuid NOT NULL,
  schedule_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  status text NOT NULL,
  lines jsonb NOT NULL,
  initiated_at timestamptz NOT NULL,
  settled_at timestamptz,
  scheme text,
  payment_reference text,
  failure_reason text,
  CONSTRAINT settlements_pkey PRIMARY KEY (settlement_id),
  CONSTRAINT settlements_check CHECK (((settled_at IS NOT NULL) = (status = 'SETTLED'::text))),
  CONSTRAINT settlements_check1 CHECK (((failure_reason IS NOT NULL) = (status = 'REFUSED'::text))),
  CONSTRAINT settlements_status_check CHECK ((status = ANY (ARRAY['INITIATED'::text, 'SETTLED'::text, 'REFUSED'::text]))),
  CONSTRAINT settlements_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES settlement_schedules(schedule_id),
  CONSTRAINT settlements_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);
CREATE UNIQUE INDEX settlements_alive ON settlements USING btree (schedule_id) WHERE (status <> 'REFUSED'::text);
CREATE INDEX settlements_of_schedule ON settlements USING btree (schedule_id);
CREATE INDEX settlements_of_workspace ON settlements USING btree (workspace_id);
CREATE INDEX settlements_settled ON settlements USING btree (settled_at) WHERE (status = 'SETTLED'::text);

CREATE TABLE simulated_lodgements (
  message_id text NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  customer_reference text NOT NULL,
  lodgement jsonb NOT NULL,
  received_at timestamptz NOT NULL,
  replies jsonb DEFAULT '{}'::jsonb NOT NULL,
  CONSTRAINT simulated_lodgements_pkey PRIMARY KEY (message_id)
);
CREATE INDEX simulated_lodgements_of_customer ON simulated_lodgements USING btree (customer_reference, seq);

CREATE TABLE simulated_payments (
  message_id text NOT NULL,
  instruction jsonb NOT NULL,
  received_at timestamptz NOT NULL,
  CONSTRAINT simulated_payments_pkey PRIMARY KEY (message_id)
);

CREATE TABLE submissions (
  submission_id uuid NOT NULL,
  lodgement_case_id uuid NOT NULL,
  number integer NOT NULL,
  approved_by text NOT NULL,
  correlation_id text NOT NULL,
  created_at timestamptz NOT NULL,
  content jsonb,
  sent_at timestamptz,
  kind text DEFAULT 'CASE'::text NOT NULL,
  CONSTRAINT submissions_pkey PRIMARY KEY (submission_id),
  CONSTRAINT submissions_lodgement_case_id_number_key UNIQUE (lodgement_case_id, number),
  CONSTRAINT submissions_kind_check CHECK ((kind = ANY (ARRAY['CASE'::text, 'DISCHARGE'::text]))),
  CONSTRAINT submissions_lodgement_case_id_fkey FOREIGN KEY (lodgement_case_id) REFERENCES lodgement_cases(lodgement_case_id)
);

CREATE TABLE subscribers (
  subscriber_id uuid NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  status text DEFAULT 'ACTIVE'::text NOT NULL,
  four_eyes boolean DEFAULT true NOT NULL,
  reports boolean DEFAULT true NOT NULL,
  audit_seq bigint DEFAULT 0 NOT NULL,
  audit_hash bytea DEFAULT '\x'::bytea NOT NULL,
  created_at timestamptz NOT NULL,
  client_account jsonb,
  decisions text DEFAULT 'any'::text NOT NULL,
  CONSTRAINT subscribers_pkey PRIMARY KEY (subscriber_id),
  CONSTRAINT subscribers_decisions_check CHECK ((decisions = ANY (ARRAY['any'::text, 'people'::text]))),
  CONSTRAINT subscribers_kind_check CHECK ((kind = ANY (ARRAY['LENDER'::text, 'LAW_FIRM'::text]))),
  CONSTRAINT subscribers_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'SUSPENDED'::text])))
);

CREATE TABLE title_documents (
  title_document_id uuid NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  lodgement_case_id uuid NOT NULL,
  title_id uuid NOT NULL,
  document_type text NOT NULL,
  register jsonb NOT NULL,
  official_copy_at timestamptz NOT NULL,
  sha256 text,
  size bigint,
  created_at timestamptz NOT NULL,
  CONSTRAINT title_documents_pkey PRIMARY KEY (title_document_id),
  CONSTRAINT title_documents_lodgement_case_id_fkey FOREIGN KEY (lodgement_case_id) REFERENCES lodgement_cases(lodgement_case_id),
  CONSTRAINT title_documents_sha256_fkey FOREIGN KEY (sha256) REFERENCES blobs(sha256),
  CONSTRAINT title_documents_title_id_fkey FOREIGN KEY (title_id) REFERENCES titles(title_id)
);
CREATE INDEX title_documents_blob ON title_documents USING btree (sha256);
CREATE INDEX title_documents_of_case ON title_documents USING btree (lodgement_case_id, seq DESC);
CREATE INDEX title_documents_of_title ON title_documents USING btree (title_id);

CREATE TABLE titles (
  title_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  title_number text NOT NULL,
  search_status text NOT NULL,
  search_failure text,
  first_asked_at timestamptz,
  tenure text,
  register jsonb,
  CONSTRAINT titles_pkey PRIMARY KEY (title_id),
  CONSTRAINT titles_workspace_id_key UNIQUE (workspace_id),
  CONSTRAINT titles_search_status_check CHECK ((search_status = ANY (ARRAY['INITIATED'::text, 'PENDING'::text, 'SUCCESS'::text, 'FAILED'::text]))),
  CONSTRAINT titles_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);

CREATE TABLE workspace_activity (
  workspace_id uuid NOT NULL,
  lender_id uuid NOT NULL,
  law_firm_id uuid NOT NULL,
  status text NOT NULL,
  last_event_at timestamptz NOT NULL,
  CONSTRAINT workspace_activity_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT workspace_activity_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);
CREATE INDEX workspace_activity_of_law_firm ON workspace_activity USING btree (law_firm_id, status, last_event_at, workspace_id);
CREATE INDEX workspace_activity_of_lender ON workspace_activity USING btree (lender_id, status, last_event_at, workspace_id);

CREATE TABLE workspaces (
  workspace_id uuid NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  workspace_reference_id text NOT NULL,
  reference text NOT NULL,
  status text NOT NULL,
  security_address jsonb NOT NULL,
  postcode text NOT NULL,
  lender_id uuid NOT NULL,
  law_firm_id uuid NOT NULL,
  title_number text,
  borrowers_validation_status text NOT NULL,
  transfer_of_equity boolean DEFAULT false NOT NULL,
  completion_date date,
  cancellation_reason text,
  cancellation_notes text,
  audit_seq bigint DEFAULT 0 NOT NULL,
  audit_hash bytea DEFAULT '\x'::bytea NOT NULL,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  last_modified_at timestamptz NOT NULL,
  last_modified_by text NOT NULL,
  status_since timestamptz NOT NULL,
  cancelled_by text,
  lender_own_reference text,
  law_firm_own_reference text,
  lodgement_case_status text DEFAULT 'CREATED'::text NOT NULL,
  turn_who text,
  turn_task text,
  turn_since timestamptz,
  turn_due_at timestamptz,
  turn_also jsonb DEFAULT '[]'::jsonb NOT NULL,
  turn_stale boolean DEFAULT true NOT NULL,
  turn_seq bigint DEFAULT 0 NOT NULL,
  turn_waited jsonb DEFAULT '{}'::jsonb NOT NULL,
  borrowers jsonb,
  CONSTRAINT workspaces_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT workspaces_seq_key UNIQUE (seq),
  CONSTRAINT workspaces_workspace_reference_id_key UNIQUE (workspace_reference_id),
  CONSTRAINT workspaces_law_firm_id_fkey FOREIGN KEY (law_firm_id) REFERENCES subscribers(subscriber_id),
  CONSTRAINT workspaces_lender_id_fkey FOREIGN KEY (lender_id) REFERENCES subscribers(subscriber_id)
);
CREATE INDEX workspaces_ended ON workspaces USING btree (status, status_since, workspace_id) WHERE (status = ANY (ARRAY['CLOSED'::text, 'CANCELLED'::text]));
CREATE INDEX workspaces_of_both ON workspaces USING btree (law_firm_id, lender_id);
CREATE INDEX workspaces_of_law_firm ON workspaces USING btree (law_firm_id, seq DESC);
CREATE INDEX workspaces_of_law_firm_by_case_status ON workspaces USING btree (law_firm_id, status, lodgement_case_status, ((- seq)));
CREATE INDEX workspaces_of_law_firm_by_completion ON workspaces USING btree (law_firm_id, status, completion_date, workspace_id) WHERE (completion_date IS NOT NULL);
CREATE INDEX workspaces_of_law_firm_by_own_reference ON workspaces USING btree (law_firm_id, lower(law_firm_own_reference) text_pattern_ops, ((- seq))) WHERE (law_firm_own_reference IS NOT NULL);
CREATE INDEX workspaces_of_law_firm_by_postcode ON workspaces USING btree (law_firm_id, postcode text_pattern_ops, ((- seq)));
CREATE INDEX workspaces_of_law_firm_by_reference_prefix ON workspaces USING btree (law_firm_id, lower(reference) text_pattern_ops, ((- seq)));
CREATE INDEX workspaces_of_law_firm_by_status ON workspaces USING btree (law_firm_id, status, ((- seq)));
CREATE INDEX workspaces_of_law_firm_by_title ON workspaces USING btree (law_firm_id, title_number text_pattern_ops, ((- seq))) WHERE (title_number IS NOT NULL);
CREATE INDEX workspaces_of_law_firm_by_turn ON workspaces USING btree (law_firm_id, turn_who, turn_task, COALESCE(turn_due_at, 'infinity'::timestamptz), turn_since, workspace_id) WHERE (turn_who IS NOT NULL);
CREATE INDEX workspaces_of_lender ON workspaces USING btree (lender_id, seq DESC);
CREATE INDEX workspaces_of_lender_by_case_status ON workspaces USING btree (lender_id, status, lodgement_case_status, ((- seq)));
CREATE INDEX workspaces_of_lender_by_completion ON workspaces USING btree (lender_id, status, completion_date, workspace_id) WHERE (completion_date IS NOT NULL);
CREATE INDEX workspaces_of_lender_by_own_reference ON workspaces USING btree (lender_id, lower(lender_own_reference) text_pattern_ops, ((- seq))) WHERE (lender_own_reference IS NOT NULL);
CREATE INDEX workspaces_of_lender_by_postcode ON workspaces USING btree (lender_id, postcode text_pattern_ops, ((- seq)));
CREATE INDEX workspaces_of_lender_by_reference_prefix ON workspaces USING btree (lender_id, lower(reference) text_pattern_ops, ((- seq)));
CREATE INDEX workspaces_of_lender_by_status ON workspaces USING btree (lender_id, status, ((- seq)));
CREATE INDEX workspaces_of_lender_by_title ON workspaces USING btree (lender_id, title_number text_pattern_ops, ((- seq))) WHERE (title_number IS NOT NULL);
CREATE INDEX workspaces_of_lender_by_turn ON workspaces USING btree (lender_id, turn_who, turn_task, COALESCE(turn_due_at, 'infinity'::timestamptz), turn_since, workspace_id) WHERE (turn_who IS NOT NULL);
CREATE INDEX workspaces_with_stale_turn ON workspaces USING btree (workspace_id) WHERE (turn_stale AND ((turn_who IS NOT NULL) OR (status <> ALL (ARRAY['CLOSED'::text, 'CANCELLED'::text]))));
CREATE INDEX workspaces_without_borrowers ON workspaces USING btree (workspace_id) WHERE (borrowers IS NULL);
CREATE TRIGGER make_turn_stale BEFORE UPDATE ON workspaces FOR EACH ROW WHEN (((new.audit_seq <> old.audit_seq) AND (new.turn_seq = old.turn_seq) AND (NOT new.turn_stale))) EXECUTE FUNCTION make_turn_stale();
CREATE TRIGGER note_workspace AFTER INSERT OR UPDATE OF status ON workspaces FOR EACH ROW EXECUTE FUNCTION note_workspace();

CREATE OR REPLACE FUNCTION audit_frontier()
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  lock table audit_entries in share mode;
  return coalesce((select max(entry_id) from audit_entries), 0);
end
$function$;

CREATE OR REPLACE FUNCTION borrowers_of(uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(jsonb_agg(name order by position), '[]') from parties
   where workspace_id = $1 and role <> 'OUTGOING_PROPRIETOR'
$function$;

CREATE OR REPLACE FUNCTION copy_borrowers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed uuid := coalesce(new.workspace_id, old.workspace_id);
  names jsonb := borrowers_of(changed);
begin
  update workspaces set borrowers = names where workspace_id = changed and borrowers is distinct from names;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION copy_case_status()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update workspaces set lodgement_case_status = new.status
   where workspace_id = new.workspace_id and lodgement_case_status <> new.status;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION erase_audit_payloads(chains uuid[], older_than timestamptz)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with erased as (
    update audit_entries set payload = null
     where chain = any (chains) and payload is not null and has_table_privilege(session_user, 'erased_matters', 'insert')
       and not exists (select from workspaces where workspace_id = chain) and entry ->> 'action' <> 'matter erased'
       and (exists (select from erased_matters where workspace_id = chain)
            or exists (select from people where person_id = chain and not enabled and email = 'erased')
            or (entry ->> 'at')::timestamptz < least(older_than, now() - interval '1 year'))
    returning 1)
  select count(*) from erased
$function$;

CREATE OR REPLACE FUNCTION give_party_sides()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select lender_id, law_firm_id into new.lender_id, new.law_firm_id from workspaces where workspace_id = new.workspace_id;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION make_turn_stale()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.turn_stale := true;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION note_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update workspace_activity set last_event_at = new.at
   where workspace_id = new.workspace_id and last_event_at < new.at;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION note_workspace()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into workspace_activity values (new.workspace_id, new.lender_id, new.law_firm_id, new.status, new.created_at)
    on conflict (workspace_id) do update set status = excluded.status;
  return null;
end
$function$;
