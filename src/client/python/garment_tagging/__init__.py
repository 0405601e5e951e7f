"""Client of the garment tagging service for Python 3.9 and later, in one file and without dependencies.

    client = GarmentTagging("https://tagging.example.com", api_key="gt_...", domain="ann.example")
    garment = client.upload_and_wait("12345", "https://example.com/shirt.jpg", {"Brand": "Ann"})

Methods return the `data` of the service's answers as dictionaries, and raise GarmentTaggingError. Requests are sent
again after 429; a repeatable one also after 503, and after a broken connection for half a minute. Redirects are not
followed, because the key would be sent to wherever they lead.
"""
from __future__ import annotations

import http.client
import json
import os
import random
import re
import time
import urllib.request
import uuid as uuids
from typing import Any, Dict, Iterator, List, Literal, Mapping, Optional, Sequence, Tuple, TypedDict, Union
from urllib.parse import urlencode

__version__ = "1.0.0"

POLL_SECONDS = (0.7, 2, 6, 12, 20, 25)  # before each poll; with the upload never more than six requests a minute
MAX_ANSWER_BYTES = 64 * 1024 * 1024


Status = Literal["queuing", "processing", "complete", "failed"]
Kind = Literal["front", "back", "label", "detail", "flaw", "worn", "other"]
File = Union[str, "os.PathLike[str]", bytes]
"""The path of a picture's file, or its bytes."""


class Garment(TypedDict, total=False):
    """What the service says of a garment; `tag` and `measurements` are None until it is complete."""

    uuid: str
    status: Status
    complete: bool
    tag: Optional[Dict[str, Any]]
    measurements: Optional[Dict[str, float]]
    description: str
    annotated_img: str
    images: List[Dict[str, Any]]
    failure_reason: str
    failure_code: str
    probabilities: Optional[Dict[str, Dict[str, float]]]
    shown: Optional[str]
    scale: Optional[Literal["card", "studio", "estimate"]]
    notes: List[str]
    tagger: str
    corrected: List[str]
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
    """`code` is for programs: one of the service's, or network, timeout, configuration, redirect, unexpected_response."""

    def __init__(
        self, code: str, status: int, message: str, errors: List[str], retry_after: Optional[int] = None
    ) -> None:
        super().__init__(f"{message}: {' '.join(errors)}" if errors else message)
        self.code, self.status, self.message, self.errors, self.retry_after = code, status, message, errors, retry_after


class _AnyStatus(urllib.request.HTTPErrorProcessor):
    """Returns failures and redirects as they are."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response


Content = Tuple[str, bytes]
"""The type and the bytes of what is sent."""

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
        """In seconds: `timeout` of a request, the longest pause before it is sent again, `max_retry_wait`, and how long
        it is sent again while nothing answers, `max_unanswered`."""
        if not re.match(r"https?://[^/?#@\s]+[^?#\s]*$", str(url)):
            raise _wrong(f"url must begin with https:// or http://, such as https://tagging.example.com, not {url}")
        for name, value in (("api_key", api_key), ("domain", domain)):
            if not re.fullmatch("[!-~]+", str(value)):  # a header takes nothing else
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
    ) -> Dict[str, Any]:
        """Sends a garment to be tagged. `images` are its further pictures, with `url` and `kind`. The same again changes nothing."""
        body = {"uuid": uuid, "image_url": image_url, "images": list(images), "attribute": attribute or {}}
        return self._data("POST", "upload", body=body, repeatable=True)

    def upload_files(
        self,
        uuid: str,
        files: Sequence[File],
        attribute: Optional[Mapping[str, str]] = None,
        kinds: Sequence[Optional[Kind]] = (),
    ) -> Dict[str, Any]:
        """Sends up to eight files as the pictures of a garment, and in their order what they show. At most 95 MB together."""
        fields = {"uuid": uuid, "attribute": json.dumps(attribute or {})}
        if kinds:
            fields["kinds"] = json.dumps(list(kinds))
        return self._data("POST", "upload", form=_form(fields, files), repeatable=True)

    def add_picture(
        self, uuid: str, url: Optional[str] = None, file: Optional[File] = None, kind: Optional[Kind] = None
    ) -> Garment:
        """Adds a picture, by its address or as a file, to a garment, which is tagged again. The same again changes nothing."""
        given = {key: value for key, value in (("url", url), ("kind", kind)) if value is not None}
        form = None if file is None else _form(given, [file])
        return self._data("POST", "pictures", {"uuid": uuid}, body=given, form=form, repeatable=True)

    def query(self, uuid: str) -> Garment:
        """The garment as it is now."""
        return self._data("GET", "query", {"uuid": uuid}, repeatable=True)

    def wait(self, uuid: str, seconds: float = 600) -> Garment:
        """Polls until the garment is complete or failed, also after polls without an answer. Raises a timeout after `seconds`."""
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
        """Uploads a garment and waits for its result."""
        self.upload(uuid, image_url, attribute, images)
        return self.wait(uuid, seconds)

    def correct(
        self,
        uuid: str,
        tag: Optional[Mapping[str, Optional[str]]] = None,
        measurements: Optional[Mapping[str, Optional[float]]] = None,
        lines: Optional[Mapping[str, Any]] = None,
    ) -> Garment:
        """Corrects or confirms values of a complete garment; None takes a correction back, and a line out."""
        given: Dict[str, Any] = {"tag": tag, "measurements": measurements, "lines": lines}
        body = {key: value for key, value in given.items() if value is not None}
        return self._data("PATCH", "garment", {"uuid": uuid}, body, repeatable=True)

    def export(self, **filters: Any) -> Iterator[Dict[str, Any]]:
        """Yields all garments, oldest first. Filters: from_, to (ISO 8601), status, limit."""
        query = {key.rstrip("_"): value for key, value in filters.items()}
        while True:
            page = self._data("GET", "export", query, repeatable=True)
            yield from page["garments"]
            if page["next_cursor"] is None:
                return
            query["cursor"] = page["next_cursor"]

    def get_webhook(self) -> Webhook:
        """The webhook's configuration."""
        return self._data("GET", "webhook/config", repeatable=True)

    def put_webhook(
        self, url: str, secret: str = "", headers: Optional[Mapping[str, str]] = None, enabled: bool = True
    ) -> Webhook:
        """Replaces the webhook's configuration as a whole."""
        body = {"enabled": enabled, "url": url, "secret": secret, "headers": headers or {}}
        return self._data("PUT", "webhook/config", body=body, repeatable=True)

    def get_delivery(self, uuid: str) -> Delivery:
        """What became of the webhook of a garment."""
        return self._data("GET", "webhook/delivery-status", {"uuid": uuid}, repeatable=True)

    def redeliver(self, uuid: str) -> Delivery:
        """Sends the webhook of a garment once more, now."""
        return self._data("POST", "webhook/redeliver", body={"uuid": uuid})

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
                # What begins when the time is over may take a second.
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
                return _envelope(response.status, response.read(MAX_ANSWER_BYTES))["data"]
        except TimeoutError:
            raise GarmentTaggingError("timeout", 0, "Timeout", [f"No response within {timeout:g} s."]) from None
        except (OSError, http.client.HTTPException) as cause:
            reason = str(getattr(cause, "reason", cause))
            raise GarmentTaggingError("network", 0, f"{self.url} could not be reached", [reason]) from cause


def _form(fields: Mapping[str, str], files: Sequence[File]) -> Content:
    """The form of an upload."""
    boundary = f"form-{uuids.uuid4()}"
    part = f"--{boundary}\r\nContent-Disposition: form-data; name="
    chunks = [f'{part}"{name}"\r\n\r\n{value}\r\n'.encode() for name, value in fields.items()]
    for file in files:
        name, data = ("image", file) if isinstance(file, bytes) else (os.path.basename(file), _read(file))
        # As browsers escape it.
        escaped = re.sub(r"[\r\n]+", "%0A", name.replace('"', "%22"))
        head = f'{part}"image"; filename="{escaped}"\r\nContent-Type: application/octet-stream\r\n\r\n'
        chunks += [head.encode(), data, b"\r\n"]
    return f"multipart/form-data; boundary={boundary}", b"".join([*chunks, f"--{boundary}--\r\n".encode()])


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


def _failure(response: Any) -> GarmentTaggingError:
    if 300 <= response.status < 400:
        target = response.headers.get("location", "another address")
        return GarmentTaggingError("redirect", response.status, "Redirect", [f"The service redirects to {target}."])
    try:
        envelope = _envelope(response.status, response.read(MAX_ANSWER_BYTES))
    except GarmentTaggingError as error:
        return error
    after = response.headers.get("retry-after", "")
    code = envelope.get("code", "unexpected_response")
    retry_after = int(after) if after.isdecimal() else None
    return GarmentTaggingError(code, response.status, envelope["message"], envelope["error"], retry_after)
