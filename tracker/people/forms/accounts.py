"""Somebody's account: signing in, a new login, the first owner, passwords, and a name."""

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, SetPasswordForm
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from tracker.models import Club, Player, User
from tracker.people.logic import login_name

# A phone would write "Asha" with a capital, or correct it to a word it knows.
AS_IT_IS = {"autocapitalize": "none", "autocorrect": "off", "spellcheck": "false"}


class SignInForm(AuthenticationForm):
    error_messages = {
        "invalid_login": _(
            "This user name and password do not go together."
            " In a password capital letters count: please try once more."
        ),
        "inactive": _("This account is closed. The club’s owner can open it again."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("User name")
        self.fields["username"].widget.attrs.update(AS_IT_IS)

    def clean_username(self) -> str:
        """Return the user name in its own capitals, where only one user can be meant."""
        typed: str = self.cleaned_data["username"]
        meant = User.objects.filter(username__iexact=typed).values_list("username", flat=True)[:2]
        return meant[0] if len(meant) == 1 else typed


class _NewPersonForm(forms.Form):
    """Somebody who will sign in from now on. The password is asked once: it can be looked at."""

    name = forms.CharField(
        label=_("Your name"),
        error_messages={"required": _("Tell us your name.")},
        max_length=Player.name.field.max_length,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    password = forms.CharField(
        label=_("Choose a password"),
        help_text=_("Eight letters or more. A few words in a row are good, and easy to remember."),
        strip=False,
        error_messages={"required": _("Choose a password.")},
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}, render_value=True),
    )

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        if password := given.get("password"):
            username = given.get("username") or login_name(given.get("name", ""))
            try:
                validate_password(password, User(username=username))
            except ValidationError as error:
                self.add_error("password", error)
        return given


class NewLoginForm(_NewPersonForm):
    username = forms.CharField(
        label=_("User name"),
        help_text=_("A short word to sign in with."),
        max_length=User.username.field.max_length,
        error_messages={"required": _("Choose a word to sign in with.")},
        validators=[
            UnicodeUsernameValidator(message=_("Letters, digits and @ . + - _ only, no spaces."))
        ],
        widget=forms.TextInput(attrs={"autocomplete": "username", **AS_IT_IS}),
    )
    field_order = ("name", "username", "password")


class FirstOwnerForm(_NewPersonForm):
    """The first of a site, who signs in by their first name."""

    club_name = forms.CharField(
        label=_("What is your club called?"),
        error_messages={"required": _("Your club needs a name; it can be changed later.")},
        max_length=Club.name.field.max_length,
        widget=forms.TextInput(attrs={"autofocus": True, "autocomplete": "organization"}),
    )
    field_order = ("club_name", "name", "password")

    def answers(self) -> dict[str, str]:
        """Return what was answered, and the word they sign in with."""
        return {**self.cleaned_data, "username": login_name(self.cleaned_data["name"])}


class AccountForm(forms.Form):
    name = forms.CharField(
        label=_("Your name"),
        help_text=_("The organisers see it in the log."),
        max_length=Player.name.field.max_length,
        error_messages={"required": _("Tell us your name.")},
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )


def _ask_twice(form: forms.Form) -> None:
    """Ask for a new password in the site's own words."""
    for name, label, help_text in (
        ("new_password1", _("New password"), _NewPersonForm.base_fields["password"].help_text),
        ("new_password2", _("The same password again"), ""),
    ):
        form.fields[name].label, form.fields[name].help_text = label, help_text


class NewPasswordForm(SetPasswordForm):  # type: ignore[type-arg]
    error_messages = {"password_mismatch": _("These two differ. Please write it once more.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _ask_twice(self)


class ChangePasswordForm(PasswordChangeForm):
    error_messages = {
        **NewPasswordForm.error_messages,
        "password_incorrect": _("That is not your password. Please try once more."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["old_password"].label = _("Your password now")
        _ask_twice(self)
