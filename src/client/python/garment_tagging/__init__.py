"""Client for the garment tagging service, for Python 3.9 and later. One file without dependencies.

    client = GarmentTagging("https://tagging.example.com", api_key="gt_...", domain="ann.example")
    garment = client.upload_and_wait("12345", "https://example.com/shirt.jpg", {"Brand": "Ann"})

Methods return the `data` of the service's response, and raise GarmentTaggingError. Requests are repeated after 429.
Requests that are safe to repeat are also repeated after 503, and for half a minute after a broken connection.
Redirects are not followed, because the API key would be sent to their target.
"""
from __future__ import annotations

import base64
import binascii
import email.utils
import hashlib
import hmac
import http.client
import json
import os
import random
import re
import time
import urllib.request
import uuid as uuids
from datetime import timezone
from typing import Any, Dict, Iterator, List, Literal, Mapping, Optional, Sequence, Tuple, TypedDict, Union
from urllib.parse import parse_qs, quote, urlencode, urlsplit

__version__ = "1.0.0"

POLL_SECONDS = (0.7, 2, 6, 12, 20, 25)  # before each poll; with the upload, at most six requests per minute
MAX_ANSWER_BYTES = 64 * 1024 * 1024
MAX_RETRY_AFTER = 86_400
MAX_SIGNATURES = 10  # a genuine webhook has one, or two while its secret is being replaced


Status = Literal["queuing", "processing", "complete", "failed"]
Kind = Literal["front", "back", "label", "detail", "flaw", "worn", "other"]
Stage = Literal["draft", "ready", "listed", "sold", "withdrawn"]
Shop = Literal["shopify", "ebay", "google", "woocommerce", "vinted"]
File = Union[str, "os.PathLike[str]", bytes]
"""The path of an image file, or its bytes."""


class Garment(TypedDict, total=False):
    """A garment. `tag` and `measurements` are None until it is complete."""

    uuid: str
    status: Status
    complete: bool
    tag: Optional[Dict[str, Any]]
    measurements: Optional[Dict[str, float]]
    description: str
    annotated_img: str
    cutout_img: str
    images: List[Dict[str, Any]]
    failure_reason: str
    failure_code: str
    probabilities: Optional[Dict[str, Dict[str, float]]]
    shown: Optional[str]
    scale: Optional[Literal["card", "studio", "estimate"]]
    notes: List[str]
    tagger: str
    corrected: List[str]
    stage: Stage
    retry: Dict[str, Any]


class Webhook(TypedDict, total=False):
    enabled: bool
    url: str
    secret: str
    headers: Dict[str, str]


class Delivery(TypedDict, total=False):
    uuid: str
    garment_uuid: str
    status: Literal["pending", "delivered", "permanently_failed"]
    attempt_count: int
    last_attempt_at: str
    next_attempt_at: Optional[str]
    last_error: str
    response_status: int
    created_at: str
    updated_at: str


class GarmentTaggingError(Exception):
    """`code` is for programs. It is one of the service's codes, or one of this client's: network, timeout,
    configuration, redirect, unexpected_response, webhook_not_genuine."""

    def __init__(
        self, code: str, status: int, message: str, errors: List[str], retry_after: Optional[float] = None
    ) -> None:
        super().__init__(f"{message}: {' '.join(errors)}" if errors else message)
        self.code, self.status, self.message, self.errors, self.retry_after = code, status, message, errors, retry_after


def verify_webhook(
    body: bytes,
    headers: Mapping[str, str],
    secret: Union[str, Sequence[str]],
    tolerance: float = 300,
    now: Optional[float] = None,
) -> Dict[str, Any]:
    """Verifies a webhook and returns its event. Pass the body exactly as received. While you replace the secret, pass
    the new and the old one. Raises GarmentTaggingError if the webhook is not genuine, or if it was signed more than
    `tolerance` seconds ago. The same event can arrive twice, with the same `webhook-id` header."""
    given = {name.lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not given.get(name):
            raise _not_genuine(f"The header {name} is missing.")
    timestamp = given["webhook-timestamp"]
    if not re.fullmatch("[0-9]{1,12}", timestamp):
        raise _not_genuine("webhook-timestamp is not a time in seconds.")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise _not_genuine("It is too old or from the future.")
    signed = f"{given['webhook-id']}.{timestamp}.".encode() + body
    signatures = given["webhook-signature"].split(" ")[:MAX_SIGNATURES]
    for each in [secret] if isinstance(secret, str) else secret:
        digest = hmac.new(_signing_key(each), signed, hashlib.sha256).digest()
        expected = b"v1," + base64.b64encode(digest)
        if any(hmac.compare_digest(expected, signature.encode()) for signature in signatures):
            event: Dict[str, Any] = json.loads(body)
            return event
    raise _not_genuine("No signature matches the secret.")


def _not_genuine(reason: str) -> GarmentTaggingError:
    return GarmentTaggingError("webhook_not_genuine", 0, "The webhook could not be verified", [reason])


def _signing_key(secret: str) -> bytes:
    if not secret:  # anybody could sign with an empty secret
        raise _wrong("The secret must not be empty")
    if not secret.startswith("whsec_"):
        return secret.encode()
    encoded = secret[len("whsec_") :]
    try:
        return base64.b64decode(encoded + "=" * (-len(encoded) % 4), validate=True)
    except binascii.Error:
        raise _wrong('The secret must be base64 after "whsec_"') from None


class _AnyStatus(urllib.request.HTTPErrorProcessor):
    """Returns failures and redirects unchanged."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response


Content = Tuple[str, bytes]
"""Content type and bytes of a request body."""

_opener = urllib.request.build_opener(_AnyStatus)


class GarmentTagging:
    def __init__(
        self,
        url: str,
        api_key: str,
        domain: str,
        timeout: float = 30,
        max_retries: int = 5,
        max_retry_wait: float = 90,
        max_unanswered: float = 30,
    ) -> None:
        """Times are in seconds. `timeout` limits one request, and `max_retry_wait` the pause before a retry.
        `max_unanswered` limits retries while the service does not respond at all."""
        if not re.match(r"https?://[^/?#@\s]+[^?#\s]*$", str(url)):
            raise _wrong(f"url must begin with https:// or http://, such as https://tagging.example.com, not {url}")
        for name, value in (("api_key", api_key), ("domain", domain)):
            if not re.fullmatch("[!-~]+", str(value)):  # other characters cannot be sent in a header
                raise _wrong(f"{name} must be given as it was shown, without spaces, dots (…) or other signs")
        self.url, self.timeout, self.max_unanswered = url.rstrip("/"), timeout, max_unanswered
        self.max_retries, self.max_retry_wait = max_retries, max_retry_wait
        self._headers = {"API-KEY": api_key, "DOMAIN": domain}

    def upload(
        self,
        uuid: str,
        image_url: str,
        attribute: Optional[Mapping[str, str]] = None,
        images: Sequence[Mapping[str, str]] = (),
    ) -> None:
        """Uploads a garment for tagging. `images` are further pictures, each with `url` and optionally `kind`.
        Repeating the call changes nothing."""
        body = {"uuid": uuid, "image_url": image_url, "images": list(images), "attribute": attribute or {}}
        self._data("POST", "upload", body=body, repeatable=True)

    def upload_files(
        self,
        uuid: str,
        files: Sequence[File],
        attribute: Optional[Mapping[str, str]] = None,
        kinds: Sequence[Optional[Kind]] = (),
    ) -> None:
        """Uploads up to eight image files as pictures of one garment, at most 95 MB in total. `kinds` says what each
        file shows, in the same order."""
        fields = {"uuid": uuid, "attribute": json.dumps(attribute or {})}
        if kinds:
            fields["kinds"] = json.dumps(list(kinds))
        self._data("POST", "upload", form=_form(fields, files), repeatable=True)

    def add_picture(
        self, uuid: str, url: Optional[str] = None, file: Optional[File] = None, kind: Optional[Kind] = None
    ) -> Garment:
        """Adds a picture to a garment, by URL or as a file. The garment is tagged again. Repeating the call changes
        nothing."""
        given = {key: value for key, value in (("url", url), ("kind", kind)) if value is not None}
        form = None if file is None else _form(given, [file])
        return self._data("POST", "pictures", {"uuid": uuid}, body=given, form=form, repeatable=True)

    def query(self, uuid: str) -> Garment:
        """Returns the garment, with its result once it is complete."""
        return self._data("GET", "query", {"uuid": uuid}, repeatable=True)

    def wait(self, uuid: str, seconds: float = 600) -> Garment:
        """Polls until the garment is complete or failed, also after polls that fail. Raises a timeout after
        `seconds`."""
        end, polls = time.monotonic() + seconds, 0
        reason: List[str] = []
        while time.monotonic() < end:
            time.sleep(max(0, min(POLL_SECONDS[min(polls, len(POLL_SECONDS) - 1)], end - time.monotonic())))
            polls += 1
            try:
                garment = self._data("GET", "query", {"uuid": uuid}, repeatable=True, end=end)
            except GarmentTaggingError as error:
                if error.code not in ("network", "timeout") and error.status != 429 and error.status < 500:
                    raise
                reason = [f"The last poll failed: {error}"]
                continue
            if garment["status"] in ("complete", "failed"):
                return garment
            retry = garment.get("retry")
            reason = [f"It will be tried again: {retry['failure_reason']}"] if retry else []
        problem = f"The garment was not tagged within {seconds} s."
        raise GarmentTaggingError("timeout", 0, "Timeout", [problem, *reason])

    def upload_and_wait(
        self,
        uuid: str,
        image_url: str,
        attribute: Optional[Mapping[str, str]] = None,
        seconds: float = 600,
        images: Sequence[Mapping[str, str]] = (),
    ) -> Garment:
        """Calls `upload`, then `wait`."""
        self.upload(uuid, image_url, attribute, images)
        return self.wait(uuid, seconds)

    def correct(
        self,
        uuid: str,
        tag: Optional[Mapping[str, Optional[str]]] = None,
        measurements: Optional[Mapping[str, Optional[float]]] = None,
        lines: Optional[Mapping[str, Any]] = None,
        attribute: Optional[Mapping[str, Optional[str]]] = None,
        listing: Optional[Mapping[str, Optional[str]]] = None,
        stage: Optional[Stage] = None,
        sold: Optional[Mapping[str, str]] = None,
        label: Optional[Mapping[str, Optional[str]]] = None,
        images: Optional[Sequence[Mapping[str, str]]] = None,
        rotations: Optional[Mapping[str, int]] = None,
    ) -> Garment:
        """Corrects or confirms values of a complete garment, or changes its attributes, listing, stage, sale or pictures.
        A value of None removes the correction, the line, the attribute or the listing value. `images` and `rotations`
        must be alone."""
        given: Dict[str, Any] = {
            "tag": tag,
            "measurements": measurements,
            "lines": lines,
            "attribute": attribute,
            "listing": listing,
            "stage": stage,
            "sold": sold,
            "label": label,
            "images": images,
            "rotations": rotations,
        }
        body = {key: value for key, value in given.items() if value is not None}
        return self._data("PATCH", "garment", {"uuid": uuid}, body, repeatable=True)

    def split(self, uuid: str, new_uuid: str, images: Sequence[str]) -> Garment:
        """Makes a new garment of some pictures of a garment, by their ids, and returns it. Repeating the call changes
        nothing."""
        body = {"uuid": new_uuid, "images": list(images)}
        return self._data("POST", "garment/split", {"uuid": uuid}, body, repeatable=True)

    def delete(self, uuid: str) -> None:
        """Deletes a garment in any state. Raises garment_not_found if it does not exist."""
        self._data("DELETE", "garment", {"uuid": uuid})

    def garments(self, q: Optional[str] = None, **filters: Any) -> Iterator[Dict[str, Any]]:
        """Yields garments, newest first. `q` contains words to search for. Filters: status, type, colour, size,
        gender, stage, min_price, max_price, order, limit (garments per page)."""
        query = dict(filters) if q is None else {"q": q, **filters}
        return self._pages("garments", query, "garments")

    def export(self, **filters: Any) -> Iterator[Dict[str, Any]]:
        """Yields all garments with their uploads, oldest first. Filters: from_, to (ISO 8601), status, limit
        (garments per page)."""
        return self._pages("export", _query(**filters), "garments")

    def export_shop_page(
        self, format: Shop, limit: Optional[int] = None, cursor: Optional[str] = None, **filters: Any
    ) -> Dict[str, Any]:
        """Returns one page of a shop's file: `csv` with a header, the number of garments that it leaves out as `omitted`,
        and `next_cursor`. Filters: from_, to (ISO 8601)."""
        return self._data("GET", "export", _query(format=format, limit=limit, cursor=cursor, **filters), repeatable=True)

    def export_report(
        self, format: Shop, limit: Optional[int] = None, cursor: Optional[str] = None, **filters: Any
    ) -> Dict[str, Any]:
        """Returns why garments of a page are left out of a shop's file, or have problems in it. Filters: from_, to."""
        query = _query(format=format, report=1, limit=limit, cursor=cursor, **filters)
        return self._data("GET", "export", query, repeatable=True)

    def reserve_numbers(self, count: int) -> Dict[str, Any]:
        """Reserves stock numbers for garments that do not exist yet, such as for printed labels."""
        return self._data("POST", "numbers", body={"count": count})

    def taxonomy(self) -> Dict[str, Any]:
        """Returns the item types, the attributes with their values, and the names of measurements."""
        return self._data("GET", "taxonomy", repeatable=True)

    def import_garments(
        self,
        lines: Union[str, Sequence[Mapping[str, Any]]],
        name: Optional[str] = None,
        overwrite: bool = False,
        columns: Optional[Mapping[str, str]] = None,
    ) -> Dict[str, Any]:
        """Imports up to 10,000 garments in the background. `lines` is the text of a CSV file, or a list of uploads.
        `overwrite` replaces changes that are newer than the file. `columns` maps columns of a CSV to fields, such as
        `{"Primary Color": "tag.Colour"}`. Returns the import's `id` and the numbers of accepted and refused lines."""
        if isinstance(lines, str):
            content = ("text/csv", lines.encode())
        else:
            content = ("application/x-ndjson", "".join(f"{json.dumps(line)}\n" for line in lines).encode())
        fields = None if columns is None else json.dumps(columns)
        query = _query(name=name, overwrite="true" if overwrite else None, columns=fields)
        return self._data("POST", "import", query, form=content, repeatable=True)

    def get_import(
        self, id: str, status: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> Dict[str, Any]:
        """Returns an import's progress and one page of its lines. `next_cursor` of a page is the `cursor` of the next
        page, or None on the last one."""
        return self._data("GET", "import", _query(id=id, status=status, limit=limit, cursor=cursor), repeatable=True)

    def imports(self) -> Iterator[Dict[str, Any]]:
        """Yields imports, newest first."""
        return self._pages("import", {}, "imports")

    def pause_import(self, id: str, paused: bool = True) -> None:
        """Pauses or resumes an import."""
        self._data("PUT", "import", body={"id": id, "paused": paused}, repeatable=True)

    def get_webhook(self) -> Webhook:
        """Returns the webhook configuration."""
        return self._data("GET", "webhook/config", repeatable=True)

    def put_webhook(
        self, url: str, secret: str = "", headers: Optional[Mapping[str, str]] = None, enabled: bool = True
    ) -> Webhook:
        """Replaces the whole webhook configuration."""
        body = {"enabled": enabled, "url": url, "secret": secret, "headers": headers or {}}
        return self._data("PUT", "webhook/config", body=body, repeatable=True)

    def send_test_event(self, type: str = "webhook.test", endpoint: str = "first") -> Dict[str, Any]:
        """Sends a test event now and returns the receiver's response."""
        return self._data("POST", "webhook/test", body={"type": type, "endpoint": endpoint})

    def endpoints(self) -> List[Dict[str, Any]]:
        """Lists the webhook endpoints. A tenant has at most five."""
        return self._data("GET", "webhook/endpoints", repeatable=True)["endpoints"]

    def get_endpoint(self, id: str) -> Dict[str, Any]:
        """Returns an endpoint."""
        return self._data("GET", f"webhook/endpoints/{quote(id, safe='')}", repeatable=True)

    def create_endpoint(self, url: str, **fields: Any) -> Dict[str, Any]:
        """Adds an endpoint. Fields: events, secret, headers, description, enabled, max_per_second, expires_in."""
        return self._data("POST", "webhook/endpoints", body={"url": url, **fields})

    def change_endpoint(self, id: str, **fields: Any) -> Dict[str, Any]:
        """Changes the given fields of an endpoint."""
        return self._data("PATCH", f"webhook/endpoints/{quote(id, safe='')}", body=fields, repeatable=True)

    def delete_endpoint(self, id: str) -> None:
        """Deletes an endpoint and ends its pending deliveries."""
        self._data("DELETE", f"webhook/endpoints/{quote(id, safe='')}")

    def get_delivery(self, uuid: str, endpoint: Optional[str] = None) -> Delivery:
        """Returns a garment's delivery to an endpoint, by default the first one."""
        return self._data("GET", "webhook/delivery-status", _query(uuid=uuid, endpoint=endpoint), repeatable=True)

    def attempts(self, uuid: str, endpoint: Optional[str] = None) -> Iterator[Dict[str, Any]]:
        """Yields the attempts of a delivery, oldest first."""
        return self._pages("webhook/attempts", _query(uuid=uuid, endpoint=endpoint), "attempts")

    def redeliver(self, uuid: str, endpoint: Optional[str] = None) -> Delivery:
        """Makes one more delivery attempt now."""
        return self._data("POST", "webhook/redeliver", body=_query(uuid=uuid, endpoint=endpoint))

    def redeliver_range(
        self, from_: str, to: str, endpoint: Optional[str] = None, status: Optional[str] = None
    ) -> Dict[str, Any]:
        """Sends ended deliveries created between `from_` and `to` (ISO 8601) once more, in the background. `status` is
        `delivered` or `permanently_failed`."""
        body = _query(from_=from_, to=to, endpoint=endpoint, status=status)
        return self._data("POST", "webhook/redeliver", body=body)

    def get_redelivery(self) -> Dict[str, Any]:
        """Returns the progress of the last redelivery of a time range."""
        return self._data("GET", "webhook/redeliver", repeatable=True)

    def _pages(self, path: str, query: Dict[str, Any], key: str) -> Iterator[Dict[str, Any]]:
        while True:
            page = self._data("GET", path, query, repeatable=True)
            yield from page[key]
            cursor = page["next_cursor"]
            if cursor is None:
                return
            query["cursor"] = cursor

    def _data(
        self,
        method: str,
        path: str,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        repeatable: bool = False,
        end: float = float("inf"),
        form: Optional[Content] = None,
    ) -> Any:
        content = form or (None if body is None else ("application/json", json.dumps(body).encode()))
        retries = 0
        silent_since: Optional[float] = None
        while True:
            started = time.monotonic()
            try:
                # An attempt that begins at the end may still take one second.
                return self._attempt(method, path, query or {}, content, min(self.timeout, max(end - started, 1)))
            except GarmentTaggingError as error:
                pause: float = min(2**retries, 30) * random.uniform(1, 1.2)
                if error.retry_after is not None:
                    pause = error.retry_after
                silent_since = None if error.status else (silent_since or started)
                silent = 0 if silent_since is None else time.monotonic() + pause - silent_since
                again = error.status == 429 or (repeatable and error.status in (0, 503) and silent <= self.max_unanswered)
                late = time.monotonic() + pause > end
                if not again or late or retries >= self.max_retries or pause > self.max_retry_wait:
                    raise
            retries += 1
            time.sleep(pause)

    def _attempt(
        self, method: str, path: str, query: Mapping[str, Any], content: Optional[Content], timeout: float
    ) -> Any:
        address = f"{self.url}/garment-tagging/{path}" + (f"?{urlencode(query)}" if query else "")
        headers = dict(self._headers)
        if content is not None:
            headers["Content-Type"] = content[0]
        data = None if content is None else content[1]
        request = urllib.request.Request(address, data, headers, method=method)
        try:
            with _opener.open(request, timeout=timeout) as response:
                if response.status >= 300:
                    raise _failure(response)
                text = _body(response)
                if response.headers.get_content_type() == "text/csv":
                    return _csv_page(text, response.headers)
                return _envelope(response.status, text)["data"]
        except TimeoutError:
            raise GarmentTaggingError("timeout", 0, "Timeout", [f"No response within {timeout:g} s."]) from None
        except (OSError, http.client.HTTPException) as cause:
            reason = str(getattr(cause, "reason", cause))
            raise GarmentTaggingError("network", 0, f"{self.url} could not be reached", [reason]) from cause


def _form(fields: Mapping[str, str], files: Sequence[File]) -> Content:
    """Builds the multipart body of an upload."""
    boundary = f"form-{uuids.uuid4()}"
    part = f"--{boundary}\r\nContent-Disposition: form-data; name="
    chunks = [f'{part}"{name}"\r\n\r\n{value}\r\n'.encode() for name, value in fields.items()]
    for file in files:
        name, data = ("image", file) if isinstance(file, bytes) else (os.path.basename(file), _read(file))
        # Browsers escape file names in the same way.
        escaped = re.sub(r"[\r\n]+", "%0A", name.replace('"', "%22"))
        head = f'{part}"image"; filename="{escaped}"\r\nContent-Type: application/octet-stream\r\n\r\n'
        chunks += [head.encode(), data, b"\r\n"]
    return f"multipart/form-data; boundary={boundary}", b"".join([*chunks, f"--{boundary}--\r\n".encode()])


def _query(**given: Any) -> Dict[str, Any]:
    """Omits None, and removes the underscore that keeps `from_` apart from Python's keyword."""
    return {key.rstrip("_"): value for key, value in given.items() if value is not None}


def _csv_page(text: bytes, headers: Any) -> Dict[str, Any]:
    link = re.search(r'<([^>]+)>; rel="next"', headers.get("link", ""))
    cursor = parse_qs(urlsplit(link[1]).query)["cursor"][0] if link else None
    return {"csv": text.decode("utf-8-sig"), "omitted": int(headers.get("x-omitted", 0)), "next_cursor": cursor}


def _read(path: Union[str, "os.PathLike[str]"]) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _wrong(problem: str) -> GarmentTaggingError:
    return GarmentTaggingError("configuration", 0, "Configuration", [f"{problem}."])


def _envelope(status: int, text: bytes) -> Dict[str, Any]:
    try:
        envelope = json.loads(text)
        if isinstance(envelope, dict) and isinstance(envelope.get("status"), bool):
            return envelope
    except ValueError:
        pass
    raise GarmentTaggingError("unexpected_response", status, f"HTTP {status}", ["The response is not from this service"])


def _body(response: Any) -> bytes:
    """Reads a response. Raises IncompleteRead if the connection ended before the last byte, which `read` does not."""
    text: bytes = response.read(MAX_ANSWER_BYTES)
    if len(text) < MAX_ANSWER_BYTES and response.length:
        raise http.client.IncompleteRead(text, response.length)
    return text


def _retry_after(header: str) -> Optional[float]:
    """Returns the seconds of a Retry-After header, which has seconds or a date, and None for any other text."""
    if re.fullmatch("[0-9]{1,9}", header):
        return min(float(header), MAX_RETRY_AFTER)
    try:
        at = email.utils.parsedate_to_datetime(header)
    except (TypeError, ValueError):
        return None
    at = at if at.tzinfo else at.replace(tzinfo=timezone.utc)
    return min(max(at.timestamp() - time.time(), 0), MAX_RETRY_AFTER)


def _failure(response: Any) -> GarmentTaggingError:
    if 300 <= response.status < 400:
        target = response.headers.get("location", "another address")
        return GarmentTaggingError("redirect", response.status, "Redirect", [f"The service redirects to {target}."])
    retry_after = _retry_after(response.headers.get("retry-after", "").strip())
    try:
        envelope = _envelope(response.status, _body(response))
    except GarmentTaggingError as error:
        error.retry_after = retry_after
        return error
    code = envelope.get("code", "unexpected_response")
    return GarmentTaggingError(code, response.status, envelope["message"], envelope["error"], retry_after)
