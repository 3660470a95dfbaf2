"""The addresses that a browser asks for to install the site; the worker's is at the root for its scope."""

from django.urls import path

from tracker.installed import views

urlpatterns = [
    path("kula.webmanifest", views.manifest, name="manifest"),
    path("worker.js", views.worker, name="worker"),
    path("no-network/", views.no_network, name="no-network"),
]
